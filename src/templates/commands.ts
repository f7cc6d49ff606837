import type * as vscode from 'vscode';
import { commandsOn } from '../workbench/commands.ts';
import { suffixes } from './documents.ts';
import { deleteTemplate, duplicateTemplate, openDocument, openPreview } from './handlers.ts';
import type { Templates } from './templates.ts';

/** All commands on templates. */
export function registerCommands(templates: Templates): vscode.Disposable[] {
  const command = commandsOn(templates.rooms.log);
  return [
    command('mailing.template.open', 'Open Template', (argument) => openDocument(templates, argument, suffixes.body, 'Open Template')),
    command('mailing.template.openStylesheet', 'Open Stylesheet', (argument) => openDocument(templates, argument, suffixes.stylesheet, 'Open Stylesheet')),
    command('mailing.template.openDetails', 'Open Template Details', (argument) => openDocument(templates, argument, suffixes.details, 'Open Template Details')),
    command('mailing.template.preview', 'Open Preview', (argument) => openPreview(templates, argument)),
    command('mailing.template.create', 'New Template', async (argument) => (await import('./create.ts')).createTemplate(templates, argument)),
    command('mailing.template.duplicate', 'Duplicate Template', (argument) => duplicateTemplate(templates, argument)),
    command('mailing.template.delete', 'Delete Template', (argument) => deleteTemplate(templates, argument)),
    command('mailing.template.sendTest', 'Send Test E-mail', async (argument) => (await import('./sendTest.ts')).sendTest(templates, argument)),
    command('mailing.template.copyTo', 'Copy Template', async (argument) => (await import('./copyTo.ts')).copyTo(templates, argument)),
  ];
}
