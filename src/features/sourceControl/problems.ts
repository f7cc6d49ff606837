import * as vscode from 'vscode';
import type { Connections } from '../../platform/connections/connections.ts';
import { mappingName } from './model.ts';
import type { FolderProject } from './project.ts';

/** VS Code shows at most this number of problems per file. */
const MAX_PROBLEMS = 1000;

/** Creates the diagnostics of a `mailing.json`. */
export function createDiagnostics(project: FolderProject, text: string, connections: Connections): vscode.Diagnostic[] {
  const rangeOf = createRangeFinder(text);
  const { connectionRanges, problems, templates } = project.mapping;
  const { Error, Information, Warning } = vscode.DiagnosticSeverity;
  const diagnostics = problems.slice(0, MAX_PROBLEMS).map(({ message, start, end, blocksPush }) => {
    const text = blocksPush === true ? `${message} Nothing is pushed until this is corrected.` : message;
    return new vscode.Diagnostic(rangeOf(start, end), text, Error);
  });
  for (const template of templates) {
    for (const connection of Object.keys(template.ids)) {
      if (connections.get(connection) !== undefined) continue;
      const message = `There is no connection "${connection}" here. Add one with this id to push and pull.`;
      diagnostics.push(new vscode.Diagnostic(rangeOf(template.range.start, template.range.end), message, Information));
    }
  }
  for (const [connection, { start, end }] of Object.entries(connectionRanges)) {
    if (connections.get(connection) !== undefined) continue;
    const message = `There is no connection "${connection}" here, so this protects nothing. Check its id.`;
    diagnostics.push(new vscode.Diagnostic(rangeOf(start, end), message, Information));
  }
  for (const target of project.targets) {
    const status = project.getStatus(target);
    if (status === undefined || status.kind === 'compared') continue;
    const { start, end } = target.template.range;
    const name = connections.get(target.connection)?.name ?? target.connection;
    const message = status.kind === 'deleted' ? `There is no template ${target.id} on ${name}.` : status.message;
    diagnostics.push(new vscode.Diagnostic(rangeOf(start, end), message, Warning));
  }
  for (const diagnostic of diagnostics) diagnostic.source = 'Mailing Studio';
  return diagnostics;
}

export function mappingUri(project: FolderProject): vscode.Uri {
  return project.files.uri(mappingName);
}

/** Converts offsets to ranges without an open document. */
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
