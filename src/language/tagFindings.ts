import { findTagProblems, type CustomField, type TagLanguage, type TagProblem } from '../tags/index.ts';
import type { Finding } from './finding.ts';
import type { TagText } from './tagTexts.ts';

/** What is wrong with the tags of a document's texts. `seen`: the service's custom fields, as far as they are known. */
export function tagFindings(texts: readonly TagText[], language: TagLanguage, seen: readonly CustomField[]): Finding[] {
  return texts.flatMap((text) => findTagProblems(text.text, language, text.where, { seen }).map((problem) => inDocument(problem, text)));
}

function inDocument({ rule, severity, start, end, message, fixes }: TagProblem, text: TagText): Finding {
  return {
    rule,
    severity,
    start: text.toDocument(start),
    end: text.toDocument(end),
    message,
    fixes: fixes.map((fix) => ({
      title: fix.title,
      edits: fix.edits.map((edit) => ({ start: text.toDocument(edit.start), end: text.toDocument(edit.end), text: text.write(edit.text) })),
    })),
  };
}
