import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Template } from '../../service/client/index.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { composeCampaignBody } from '../../email/compose/compose.ts';
import type { SourceText, ReferenceResult } from '../../platform/documents/recordCollections.ts';
import { showInfo, withProgress } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { errorText } from '../../ui/errors.ts';
import { formatList, formatNumber, formatPair } from '../../l10n.ts';
import { getTemplateName } from './model.ts';
import type { Templates } from './templates.ts';
import type { CommandArgument } from '../../ui/commands.ts';

/** How long the confirmation of a deletion waits for the list of uses. */
const LOOKUP_TIMEOUT_MS = 5000;
/** Maximum number of uses that the confirmation of a deletion names. */
const MAX_NAMED_USES = 5;

const getTitle = () => t('Uses of the Template');

/** Lists the campaigns and emails made from a template and opens the one that the user picks. */
export async function showUses(templates: Templates, argument: CommandArgument): Promise<RecordRef | undefined> {
  const ref = await templates.choose(argument, getTitle());
  if (ref === undefined) return undefined;
  const template = await templates.read(ref);
  const uses = await withProgress(t('Finding campaigns and emails made from the template'), (signal) =>
    findUses(templates, ref, template, signal),
  );
  const references = uses.flatMap((each) => each.references);
  const incompleteReasons = uses.flatMap((each) => each.incompleteReason ?? []).join(' ');
  if (references.length === 0) {
    const text = t`No campaigns or emails made from "${getTemplateName(template)}" found.`;
    void showInfo(`${text} ${incompleteReasons}`.trim());
    return ref;
  }
  const picked = await vscode.window.showQuickPick(
    references.map((use) => ({ label: escapeMessage(use.label), description: use.reason, use })),
    {
      title: formatPair(getTitle(), escapeMessage(getTemplateName(template))),
      placeHolder: incompleteReasons || t('Select one to open it'),
    },
  );
  if (picked !== undefined) await vscode.commands.executeCommand(picked.use.command, picked.use.argument);
  return ref;
}

/** Returns sentences about a template's uses for the confirmation of its deletion. Reports a failed lookup as a sentence. */
export async function describeUses(templates: Templates, ref: RecordRef): Promise<readonly string[]> {
  try {
    const template = await templates.read(ref);
    const uses = await withProgress(t('Finding campaigns and emails made from the template'), (signal) =>
      findUses(templates, ref, template, AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)])),
    );
    const references = uses.flatMap((each) => each.references);
    const labels = references.slice(0, MAX_NAMED_USES).map(({ label, reason }) => `${label} (${reason})`);
    const omitted = references.length - MAX_NAMED_USES;
    const names = formatList(
      omitted > 0
        ? [
            ...labels,
            t({ message: '{0} more', args: [formatNumber(omitted)], comment: 'The last item in a list of names' }),
          ]
        : labels,
    );
    return [
      ...(references.length === 0 ? [] : [t`Campaigns and emails made from it are kept: ${names}.`]),
      ...uses.flatMap((each) => each.incompleteReason ?? []),
    ];
  } catch (error) {
    return [t`Couldn't find the campaigns and emails made from this template: ${errorText(error)}`];
  }
}

function findUses(
  templates: Templates,
  ref: RecordRef,
  template: Template,
  signal: AbortSignal,
): Promise<readonly ReferenceResult[]> {
  return templates.run(ref, (client) =>
    Promise.all(
      templates.services.references.map((find) =>
        find({ connection: ref.connection, baseUrl: ref.baseUrl }, client, collectTemplateText(template), signal),
      ),
    ),
  );
}

/** Returns a template's text in every form in which campaigns and follow-up emails copy it. */
function collectTemplateText({ name, subject, preheader, body, stylesheet }: Template): SourceText {
  const texts = { body: body ?? '', stylesheet: stylesheet ?? '' };
  const envelope = { subject: subject ?? '', preheader: preheader ?? '', from_name: '', from_email: '' };
  return {
    name: name ?? '',
    subject: subject ?? '',
    bodies: [texts.body, composeCampaignBody(texts), composeCampaignBody({ ...texts, envelope })],
  };
}
