import type * as vscode from 'vscode';
import type { Connections } from './connections/connections.ts';
import type { Documents } from './documents/documents.ts';
import type { Explorer } from './explorer/explorer.ts';
import type { Previews } from './preview/host/activeEditorPreviews.ts';
import type { CampaignSender } from './sending/campaignSender.ts';
import type { TestRequest } from './sending/testSend/model.ts';
import type { TestResult } from './sending/testSend/testSender.ts';
import type { TestableCollections } from './sending/testSend/testableMails.ts';
import type { ReferenceProviders } from './sending/referenceProviders.ts';
import type { TestLog } from './sending/testSend/testLog.ts';
import type { CommandHost } from './ui/commands.ts';
import type { RecentChoices } from './ui/recent.ts';
import type { MailWorker } from './worker/index.ts';

/** The shared services that `extension.ts` passes to each feature. */
export interface ExtensionServices extends CommandHost {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly documents: Documents;
  readonly explorer: Explorer;
  readonly previews: Previews;
  /** Loads the campaign sender. Always resolves to the same instance, because it tracks running sends. */
  readonly getCampaignSender: () => Promise<CampaignSender>;
  /** Emails that can be sent as tests. Features register theirs. */
  readonly testable: TestableCollections;
  /** Features register functions here that find the records created from a template. */
  readonly references: ReferenceProviders;
  readonly testLog: TestLog;
  /** Confirms and sends a test, and reports its result. */
  readonly sendTest: (order: TestRequest) => Promise<TestResult | undefined>;
  readonly recent: RecentChoices;
  /** Loads the worker thread that runs the `email` layer. Always resolves to the same instance. */
  readonly worker: () => Promise<MailWorker>;
}
