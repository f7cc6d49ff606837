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

/** The shared mechanisms, as `extension.ts` hands them to each noun's room. Other rooms ask for what they need of them. */
export interface ExtensionServices extends CommandHost {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly documents: Documents;
  readonly explorer: Explorer;
  readonly previews: Previews;
  /** Loads what sends campaigns; always the same, so that it knows what is under way. */
  readonly getCampaignSender: () => Promise<CampaignSender>;
  /** The emails that tests can be sent of: rooms register theirs. */
  readonly testable: TestableCollections;
  /** What looks for what was made from a text: rooms register theirs. */
  readonly references: ReferenceProviders;
  /** The last tests. */
  readonly testLog: TestLog;
  /** Sends a test after its question, and tells what came of it. */
  readonly sendTest: (order: TestRequest) => Promise<TestResult | undefined>;
  /** What was picked last. */
  readonly recent: RecentChoices;
  /** Loads what runs the pure rooms in a thread; always the same. */
  readonly worker: () => Promise<MailWorker>;
}
