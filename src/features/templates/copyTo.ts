import { t } from '@vscode/l10n';
import { paginate } from '../../service/client/paginate.ts';
import * as vscode from 'vscode';
import type { MailingClient, Template } from '../../service/client/index.ts';
import { toServiceRef, type Connection } from '../../platform/connections/model.ts';
import { showConnectionPick, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { type CommandArgument, getFields } from '../../platform/ui/commands.ts';
import { confirm, showWarning } from '../../platform/ui/messages.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { escapeMessage } from '../../service/text.ts';
import { templateDocuments } from './documents.ts';
import { plural } from '../../l10n.ts';
import { copyTemplateFields, templateFields, templateSuffixes } from './model.ts';
import type { Templates } from './templates.ts';

const getTitle = () => t('Copy Template to Another Connection');

/** Copies a template to another service. If the name exists there, shows the differences before writing. */
export async function copyTo(templates: Templates, argument: CommandArgument): Promise<FoundRecord | undefined> {
  const ref = await templates.choose(argument, getTitle());
  if (ref === undefined) return undefined;
  const target = await pickTarget(templates, ref.connection, argument);
  if (target === undefined) return undefined;
  const { connections } = templates.services;
  const [template, namesakes] = await withProgress(
    t`Searching for the template on ${escapeMessage(target.name)}`,
    async (signal) => {
      const own = await templates.read(ref);
      return [
        own,
        await connections.run(toServiceRef(target), (client) => findByName(client, own.name ?? '', signal)),
      ] as const;
    },
  );
  const [existing] = namesakes;
  if (existing === undefined) return templates.create(toServiceRef(target), copyTemplateFields(template));
  return replaceOrAdd(templates, template, existing.id, target, namesakes.length);
}

/** Returns the connection of the argument's `to`, or prompts for one. */
async function pickTarget(templates: Templates, source: string, argument: CommandArgument) {
  const others = templates.services.connections.all.filter(({ id }) => id !== source);
  const { to } = getFields(argument);
  const named = others.find(({ id }) => id === to);
  if (named !== undefined) return named;
  if (others.length === 0) {
    const add = t('Add Connection');
    if ((await showWarning(t('There is no other connection to copy to.'), add)) === add)
      await vscode.commands.executeCommand('mailing.connection.add');
    return undefined;
  }
  return showConnectionPick(others, { title: getTitle(), placeHolder: t('Select the service to copy to') });
}

async function findByName(client: MailingClient, name: string, signal: AbortSignal) {
  const found: Template[] = [];
  const pages = paginate((page, options) => client.getTemplates({ search: name, ...page }, options), {
    signal,
  });
  for await (const template of pages) if (template.name === name) found.push(template);
  return found;
}

async function replaceOrAdd(templates: Templates, template: Template, id: number, target: Connection, count: number) {
  const ref = { ...toServiceRef(target), id };
  // The list may leave fields out.
  const theirs = await templates.read(ref);
  await showCopyDiff(templates, theirs, template, target);
  const name = escapeMessage(template.name ?? '');
  const [replace, add] = [t('Replace'), t('Add Another')];
  const editable = templateDocuments.getReadOnlyReason(theirs) === undefined;
  const service = escapeMessage(target.name);
  const found = plural(
    count,
    t('{1} already has {0} template named "{2}".'),
    t('{1} already has {0} templates named "{2}".'),
    service,
    name,
  );
  const advice = editable
    ? t('The editor shows the differences.')
    : t("It can't be replaced, because it was made with the drag-and-drop editor.");
  const choice = await vscode.window.showInformationMessage(
    `${found} ${advice}`,
    ...(editable && count === 1 ? [replace] : []),
    add,
  );
  if (choice === add) return templates.create(toServiceRef(target), copyTemplateFields(template));
  if (choice !== replace) return undefined;
  const consequences = [t('This replaces its body, stylesheet and details.')];
  if (!(await confirm(t`Replace "${name}" on ${target.name}?`, consequences, replace))) return undefined;

  const fields = Object.fromEntries(templateFields.map((field) => [field, template[field] ?? '']));
  const record = await templates.services.documents.getRecord(templateDocuments.collection, ref);
  await record.store(ref, async (now) => {
    if (JSON.stringify(now) === JSON.stringify(theirs)) return { fields };
    throw new Error(
      t`"${name}" changed on ${target.name} meanwhile. Nothing was saved. Copy it again to see the differences.`,
    );
  });
  templates.refreshTree(ref);
  return templates.open(ref, templateSuffixes.body);
}

/** Compares each document of the template in one editor. */
async function showCopyDiff(templates: Templates, theirs: Template, ours: Template, target: Connection) {
  const { snapshots } = templates.services.documents;
  const pairs = templateDocuments.parts.map((part) => {
    const file = `template${part.suffix}`;
    const left = snapshots.add(file, part.render(theirs));
    return [left, left, snapshots.add(file, part.render(ours))];
  });
  await vscode.commands.executeCommand(
    'vscode.changes',
    t`${escapeMessage(ours.name ?? '')}: ${escapeMessage(target.name)} ↔ Copy`,
    pairs,
  );
}
