import type * as vscode from 'vscode';

/** What was found wrong with an email. */
export interface MailProblems {
  readonly errors: number;
  readonly warnings: number;
  /** The worst of it that comes first. */
  readonly first: vscode.Location;
}

/** Who knows what is wrong with emails. */
export interface ProblemSource {
  readonly onDidChange: vscode.Event<unknown>;
  /** Of the email with this body document; undefined where nothing is wrong, or nothing is known. */
  getProblems(body: vscode.Uri): MailProblems | undefined;
}
