import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratch, removeScratch } from '../../../../../scripts/lib/scratch.mjs';
import { MailingClient, type Campaign } from '../../../../../src/service/client/index.ts';
import { createMovedError, type Connection, type ServiceRef } from '../../../../../src/platform/connections/model.ts';
import { Journal } from '../../../../../src/sync/requests/journal.ts';
import { sendKind, testKind, type SendEntry, type TestEntry } from '../../../../../src/sync/requests/kinds.ts';
import { StateFiles } from '../../../../../src/sync/stateFiles.ts';
import { CampaignSender } from '../../../../../src/features/sending/campaignSender.ts';
import type { TestRequest, TestRecipients } from '../../../../../src/features/sending/testSend/recipients.ts';
import { OWN_LIST_NAME } from '../../../../../src/features/sending/testSend/viaOwnList.ts';
import { TestRecords } from '../../../../../src/features/sending/testSend/testRecords.ts';
import { type TestResult, TestSender } from '../../../../../src/features/sending/testSend/testSender.ts';
import {
  startSandbox,
  type FaultHandle,
  type FaultRule,
  type Sandbox,
  type SandboxProfile,
} from '../../../../support/sandbox/index.ts';
import type { TestMessage } from '../../../../../src/platform/documents/recordCollections.ts';

const assets = fileURLToPath(new URL('../../../../../media/starters', import.meta.url));
/** Lists of the sample data: testers, and all subscribers. */
export const [testers, everybody] = [8, 6] as const;

/** A modal confirmation. */
interface TestConfirmation {
  readonly message: string;
  readonly detail: readonly string[];
  readonly action: string;
}

/** A window that sends tests. Its journal outlives it. */
export class TestWindow {
  readonly tests: TestSender;
  readonly notes: Journal<TestEntry>;
  readonly sendNotes: Journal<SendEntry>;
  readonly records: TestRecords;
  readonly questions: TestConfirmation[] = [];

  get lastQuestion(): TestConfirmation {
    return this.questions.at(-1) ?? assert.fail('no question');
  }

  /** Answers a confirmation after running `meanwhile`. */
  answer: (question: TestConfirmation) => boolean | Promise<boolean> = () => true;
  limit = 25;

  /** `baseUrl`: address of the service in the settings. */
  constructor(stage: TestStage, baseUrl = (): string => stage.sandbox.baseUrl) {
    const connections = {
      get: () => ({ name: 'One', baseUrl: baseUrl() }),
      run: async <T>(service: ServiceRef, operation: (client: MailingClient) => Promise<T>) => {
        if (service.baseUrl !== baseUrl()) throw createMovedError('One', baseUrl());
        return operation(stage.client);
      },
    };
    const options = { now: () => stage.now, getTimeoutMs: () => stage.timeoutMs };
    this.notes = new Journal(new StateFiles(join(stage.folder, 'tests')), testKind, options);
    this.sendNotes = new Journal(new StateFiles(join(stage.folder, 'sendings')), sendKind, options);
    const sends = new CampaignSender(this.sendNotes, connections, {
      // Nothing is checked in the background.
      wait: (ms) => (ms > 1000 ? new Promise(() => undefined) : Promise.resolve()),
      onChanged: () => undefined,
      onSettled: () => undefined,
    });
    this.records = new TestRecords(this.notes, connections, sends);
    this.tests = new TestSender(connections, sends, this.records, {
      confirm: async (message, detail, action) => {
        const question = { message, detail, action };
        this.questions.push(question);
        return this.answer(question);
      },
      progress: (_title, task) => task(new AbortController().signal, () => undefined),
      getMaxRecipients: () => this.limit,
    });
  }
}

/** A service with a template, and a machine whose windows send it as a test. */
export class TestStage {
  readonly sandbox: Sandbox;
  readonly client: MailingClient;
  readonly folder: string;
  readonly connection: Connection;
  templateId = 0;
  /** In ms since the epoch. */
  now = Date.UTC(2026, 4, 20, 10, 0, 0);
  /** The configured timeout of a request. */
  timeoutMs = 30_000;

  private constructor(sandbox: Sandbox, folder: string) {
    const { baseUrl, apiKey, profile } = sandbox;
    this.sandbox = sandbox;
    this.folder = folder;
    this.client = new MailingClient({ baseUrl, apiKey, profile, wait: () => Promise.resolve() });
    this.connection = { id: 'one', name: 'One', baseUrl, profile };
  }

  static async start(profile: SandboxProfile): Promise<TestStage> {
    const folder = makeScratch();
    const stage = new TestStage(await startSandbox({ assets, profile, subscribers: 60 }), folder);
    await stage.createTemplate();
    return stage;
  }

  /** Makes the next request of an operation fail. */
  fault(rule: FaultRule): FaultHandle {
    return this.sandbox.faults.add({ times: 1, ...rule });
  }

  /** A journal entry of a test of the template. */
  entry(fields: Partial<TestEntry>): TestEntry {
    const what = `tests/templates/${this.templateId}`;
    return {
      connection: 'one',
      baseUrl: this.sandbox.baseUrl,
      what,
      asked: this.now,
      until: this.now + 2 * 60_000,
      name: 'Hello',
      addresses: [],
      ...fields,
    };
  }

  /** The template with this body in its editor. */
  message(body = '<p>Hello</p>'): TestMessage {
    return {
      name: 'Hello',
      envelope: { subject: 'Greetings', preheader: '', from_name: '', from_email: '' },
      body,
      isEmpty: body === '',
      findStoredMailId: async (client) =>
        (await client.getOneTemplate(this.templateId)).body === body ? this.templateId : undefined,
    };
  }

  order(to: TestRecipients, message = this.message()): TestRequest {
    return { connection: this.connection, what: `tests/templates/${this.templateId}`, message, to };
  }

  send(window: TestWindow, to: readonly string[] | number, message = this.message()): Promise<TestResult | undefined> {
    return window.tests.send(
      this.order(
        typeof to === 'number'
          ? { kind: 'list', list: { id: to, name: 'Test' } }
          : { kind: 'addresses', addresses: to },
        message,
      ),
    );
  }

  /** The stage with a client that overrides some operations. */
  with(operations: Partial<MailingClient>): TestStage {
    const overridden = <T extends object>(target: T, others: object) =>
      new Proxy(target, {
        get: (_, name) => {
          const value: unknown = Reflect.get(name in others ? others : target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    return overridden(this as TestStage, { client: overridden(this.client, operations) });
  }

  /** Adds users to a list without emails. */
  async subscribe(listId: number, ...emails: readonly string[]): Promise<void> {
    await this.client.subscribeUsers({ emails, listIds: [listId], sendWelcomeEmail: false, trigger: false });
  }

  /** Removes users from a list without emails. */
  async unsubscribe(listId: number, ...emails: readonly string[]): Promise<void> {
    await this.client.unsubscribeUsers({ emails, listIds: [listId], sendUnsubscribeEmail: false, trigger: false });
  }

  /** Creates the list of tests to addresses. */
  async createOwnList(): Promise<number> {
    return (await this.client.createList({ name: OWN_LIST_NAME })).listId ?? 0;
  }

  /** Changes the template as another user. */
  async changeTemplate(): Promise<true> {
    await this.client.updateTemplate({ templateId: this.templateId, body: '<p>Theirs</p>' });
    return true;
  }

  async createTemplate(): Promise<void> {
    const fields = { name: 'Hello', subject: 'Greetings', body: '<p>Hello</p>' };
    ({ templateId: this.templateId } = await this.client.createTemplate(fields));
  }

  /** Campaigns created for tests. */
  async campaigns(): Promise<readonly Campaign[]> {
    return (await this.client.getCampaigns({ limit: 100, filters: { name: '[Test]' } })).filter(({ name }) =>
      name?.startsWith('[Test]'),
    );
  }

  /** Addresses of users that are not on the testers list. */
  async users(count: number): Promise<readonly string[]> {
    const found = await this.client.getSubscribersFromLists([everybody], { offset: 20, limit: count });
    return found.map(({ email }) => email ?? '');
  }

  /** Recipients of all sent emails. */
  get recipients(): readonly string[] {
    return this.sandbox.outbox.messages.map(({ to }) => to);
  }

  received(operation: string): number {
    return this.sandbox.requests.filter((request) => request.operation === operation).length;
  }

  async end(): Promise<void> {
    await this.client.close();
    await this.sandbox.close();
    removeScratch(this.folder);
  }
}
