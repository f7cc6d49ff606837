import * as vscode from 'vscode';
import type { Connections } from '../../platform/connections/connections.ts';
import { mappingName } from './model.ts';
import type { FolderProject } from './project.ts';

/** Most problems that are shown of one file: VS Code itself shows no more. */
const MAX_PROBLEMS = 1000;

/** What is wrong in `mailing.json`, at its place. */
export function createDiagnostics(project: FolderProject, text: string, connections: Connections): vscode.Diagnostic[] {
  const rangeOf = createRangeFinder(text);
  const { connectionRanges, problems, templates } = project.mapping;
  const { Error, Information, Warning } = vscode.DiagnosticSeverity;
  const found = problems.slice(0, MAX_PROBLEMS).map(({ message, start, end, blocksPush }) => {
    const text = blocksPush === true ? `${message} Nothing is pushed until this is corrected.` : message;
    return new vscode.Diagnostic(rangeOf(start, end), text, Error);
  });
  for (const template of templates) {
    for (const connection of Object.keys(template.ids)) {
      if (connections.get(connection) !== undefined) continue;
      const message = `There is no connection "${connection}" here. Add one with this id to push and pull.`;
      found.push(new vscode.Diagnostic(rangeOf(template.range.start, template.range.end), message, Information));
    }
  }
  for (const [connection, { start, end }] of Object.entries(connectionRanges)) {
    if (connections.get(connection) !== undefined) continue;
    const message = `There is no connection "${connection}" here, so this protects nothing. Check its id.`;
    found.push(new vscode.Diagnostic(rangeOf(start, end), message, Information));
  }
  for (const target of project.targets) {
    const known = project.getStatus(target);
    if (known === undefined || known.kind === 'compared') continue;
    const { start, end } = target.template.range;
    const name = connections.get(target.connection)?.name ?? target.connection;
    const message = known.kind === 'deleted' ? `There is no template ${target.id} on ${name}.` : known.message;
    found.push(new vscode.Diagnostic(rangeOf(start, end), message, Warning));
  }
  for (const diagnostic of found) diagnostic.source = 'Mailing Studio';
  return found;
}

export function mappingUri(project: FolderProject): vscode.Uri {
  return project.files.uri(mappingName);
}

/** Ranges of a text that no editor may have open. */
function createRangeFinder(text: string): (start: number, end: number) => vscode.Range {
  const starts = [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
  const at = (offset: number): vscode.Position => {
    const line = Math.max(
      0,
      starts.findLastIndex((start) => start <= offset),
    );
    return new vscode.Position(line, offset - (starts[line] ?? 0));
  };
  return (start, end) => new vscode.Range(at(start), at(end));
}
