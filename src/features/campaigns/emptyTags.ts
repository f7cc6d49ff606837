import type { Subscriber } from '../../service/client/index.ts';
import type { EmptyTag } from '../../platform/sending/protocol.ts';
import { parseTags, createRendering, renderTags, type NamedPerson, type TagLanguage } from '../../email/tags/index.ts';

const MAX_TAGS = 50;

/** A subscriber, with the data that tags are replaced with. */
export interface SampledSubscriber {
  readonly subscriber: Subscriber;
  readonly named: NamedPerson;
}

/**
 * Returns the subscriber tags that render as empty text for part of the sample. Tags whose field the service reports for no subscriber
 * are skipped, because their values are unknown.
 */
export function findEmptyTags(
  texts: readonly string[],
  language: TagLanguage,
  sample: readonly SampledSubscriber[],
): readonly EmptyTag[] {
  const reportedFields = new Set(sample.flatMap(({ subscriber }) => Object.keys(subscriber)));
  const personFamilies = language.families.filter(({ source }) => source === 'subscriber');
  const families = new Set(personFamilies.flatMap(({ name, aliases }) => [name, ...aliases]));
  const tags = texts.flatMap((text) =>
    parseTags(text, language)
      .filter(({ family, id }) => family !== undefined && families.has(family) && reportedFields.has(id ?? ''))
      .map(({ start, end }) => text.slice(start, end)),
  );
  return [...new Set(tags)].slice(0, MAX_TAGS).flatMap((tag) => {
    const empty = sample.filter(
      ({ named }) => renderTags(tag, language, createRendering(named.person)).text.trim() === '',
    ).length;
    return empty === 0 ? [] : [{ tag, summary: `empty for ${empty} of ${sample.length}` }];
  });
}
