import type * as vscode from 'vscode';

/** The problems of an email. */
export interface MailProblems {
  readonly errors: number;
  readonly warnings: number;
  /** The first of the most severe problems. */
  readonly first: vscode.Location;
}

/** Provides the problems of emails. */
export interface ProblemSource {
  readonly onDidChange: vscode.Event<unknown>;
  /** Returns the problems of the email with this body, or undefined if there are none or it wasn't checked. */
  getProblems(body: vscode.Uri): MailProblems | undefined;
}
