import type { MailingClient } from '../../service/client/index.ts';
import type { AnyRecord } from '../../platform/documents/model.ts';
import type { FieldTexts } from './fields.ts';
import type { MappedKind } from './model.ts';
import type { RemoteTemplateSource } from './comparisons.ts';

/** Returns the texts of a record that a folder manages. */
export function readFieldTexts({ kind, layout }: Pick<MappedKind, 'kind' | 'layout'>, record: AnyRecord): FieldTexts {
  const fields = [...layout.texts.map(({ field }) => field), ...layout.details.fields];
  return Object.fromEntries(fields.map((field) => [field, String(kind.getField(record, field) ?? '')]));
}

/** Implements `RemoteTemplateSource.readAll`. */
export async function readAllRecords(
  mapped: Pick<MappedKind, 'kind' | 'layout'>,
  client: MailingClient,
  onRecord: Parameters<RemoteTemplateSource['readAll']>[1],
  signal?: AbortSignal,
): Promise<void> {
  for await (const record of mapped.kind.list(client, { signal })) {
    const isWhole = mapped.layout.texts.every(({ field }) => field in record);
    if (await onRecord(record.id, isWhole ? readFieldTexts(mapped, record) : undefined)) return;
  }
}
