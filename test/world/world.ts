import type { ShownMessage } from '../support/vscodeStandIn.ts';
import { Disk } from './disk.ts';
import { findWords, Ledger } from './ledger.ts';
import { Network } from './network.ts';
import { FOLDER, Machine, Process, STORAGE, type Operation, type PlannedFault } from './process.ts';
import { enter, type Code } from './realm.ts';
import { Random } from './random.ts';
import { Scheduler } from './scheduler.ts';
import { KEY, Service } from './service.ts';
import { newCampaign, emptyMail, type StoredTemplate } from '../../src/service/sandbox/records.ts';
import type { Connection } from '../../src/platform/connections/model.ts';
import type { ProfileName } from '../../src/service/client/profiles.ts';
import type { WindowState } from './window.ts';

export const TEMPLATE_ID = 1;
/** Lists of the sample data. */
export const [NEWSLETTER, TESTERS] = [1, 8] as const;
const START = Date.UTC(2026, 4, 20, 10);
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000] as const;

export interface PersistedWindow extends WindowState {
  process?: Process;
}

/** Everything that a history happens in: a service, two machines, and what their programs do. */
export class World {
  readonly scheduler = new Scheduler(START, (owner) => enter(owner as Process));
  readonly service: Service;
  readonly network: Network;
  readonly ledger: Ledger;
  readonly code: Code;
  readonly connection: Connection;
  readonly apiKey = KEY;
  readonly machines: Readonly<Record<'laptop' | 'desk', Machine>>;
  readonly windows = new Map<string, PersistedWindow>();
  readonly processes: Process[] = [];
  readonly operations: Operation[] = [];
  readonly messages: { readonly process: Process; readonly message: ShownMessage }[] = [];
  /** One line for each event, in plain English. */
  readonly lines: string[] = [];
  /** Number of occurrences by "actor: operation: fault". */
  readonly counts = new Map<string, number>();
  /** Words that users typed and saved. */
  readonly words = new Map<string, string>();
  /** Texts that a user was shown to decide about. */
  readonly shownTexts: string[] = [];
  /** Words that a user decided to give up, or that an update replaced which couldn't know of them. */
  readonly givenUp = new Set<string>();
  readonly #overwriting = new Map<Process, Set<string>>();
  /** When the website last changed a campaign or sent it. */
  readonly campaignVersions = new Map<number, number[]>();
  readonly websiteSends = new Map<number, number[]>();
  /** When the website last changed a list. */
  listChanges = 0;
  /** When the website added an address to a list. */
  readonly added = new Map<string, number>();
  /** When the website last gave the campaign of a test another list. */
  readonly moved = new Map<number, number>();
  /** How long after its creation the website moves the campaign of the next test, in ms. */
  movesTestAfter: number | undefined;
  /** When users agreed to repeat a request without a response. */
  readonly repeats: number[] = [];
  /** The files of the branches that aren't checked out, by path. */
  readonly branches = new Map<string, ReadonlyMap<string, string>>();
  branch = 'main';
  hasRestored = false;
  isQuiet = false;
  /** Users accept everything: at the end, all commands must work. */
  isObliging = false;
  #backup: (() => void) | undefined;
  #trash: StoredTemplate | undefined;
  #order = 0;
  #pid = 1000;

  constructor(code: Code, profile: ProfileName) {
    this.code = code;
    this.connection = { id: 'one', name: 'One', baseUrl: 'https://mail.example', profile };
    this.service = new Service(profile, () => this.scheduler.now);
    this.ledger = new Ledger(this);
    this.network = new Network(this.scheduler, this.service, this.ledger);
    const createMachine = (name: string) => {
      const machine = new Machine(name, new Disk(this.scheduler));
      const mapping = {
        connections: { one: { baseUrl: this.connection.baseUrl, profile } },
        templates: [{ folder: 'letter', ids: { one: TEMPLATE_ID } }],
      };
      machine.disk.writeText(`${FOLDER}/mailing.json`, JSON.stringify(mapping));
      return machine;
    };
    this.machines = { laptop: createMachine('laptop'), desk: createMachine('desk') };
    for (const name of ['Autumn', 'Winter']) this.addCampaign(name);
  }

  /** Returns the order of a fact. */
  tick(): number {
    return (this.#order += 1);
  }

  nextPid(): number {
    return (this.#pid += 1);
  }

  log(text: string): void {
    const time = new Date(this.scheduler.now).toISOString().slice(11, 23);
    this.lines.push(`${time} ${text}`);
  }

  count(actor: string, operation: string, fault: string): void {
    const key = `${actor}: ${operation}: ${fault}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  get templateText(): string {
    return this.service.store.templates.get(TEMPLATE_ID)?.body ?? '';
  }

  /** The words of body and stylesheet. */
  get templateWords(): readonly string[] {
    return findWords(`${this.templateText} ${this.service.store.templates.get(TEMPLATE_ID)?.stylesheet}`);
  }

  /** Creates a campaign on the website. */
  addCampaign(name: string): number {
    const id = this.service.store.nextId('campaign');
    // After a backup was restored, the id may have been that of a test.
    this.ledger.testCampaigns.delete(id);
    this.saveCampaign(id, { name, subject: name, body: `<p>${name}</p>` });
    return id;
  }

  /** Deletes the template on the website, or restores it from the trash. */
  toggleTemplate(): void {
    const { templates } = this.service.store;
    const template = templates.get(TEMPLATE_ID);
    this.log(`The website ${template === undefined ? 'restores' : 'deletes'} the template.`);
    if (template !== undefined) templates.delete(TEMPLATE_ID);
    else if (this.#trash !== undefined) templates.put(this.#trash);
    this.#trash = template;
  }

  /** Somebody on the website may take the campaign of a test for another one. */
  handleTestCampaign(id: number): void {
    if (this.movesTestAfter === undefined || this.isQuiet) return;
    this.scheduler.after(this.movesTestAfter, () => {
      const campaign = this.service.store.campaigns.get(id);
      if (campaign === undefined) return;
      this.moved.set(id, this.tick());
      this.log(`The website gives campaign ${id} another list.`);
      this.service.store.campaigns.put({ ...campaign, listIds: [NEWSLETTER] });
    });
    this.movesTestAfter = undefined;
  }

  /** Changes a campaign on the website, which makes it a draft. */
  saveCampaign(
    id: number,
    changes: { readonly name?: string; readonly subject?: string; readonly body?: string },
  ): void {
    const { campaigns, mails } = this.service.store;
    const before = campaigns.get(id);
    const mail_id = before?.mail_id ?? this.service.store.nextId('mail');
    mails.put({ ...emptyMail, ...mails.get(mail_id), ...changes, id: mail_id });
    campaigns.put({ ...newCampaign, id, mail_id, parent_id: null, listIds: [NEWSLETTER] });
    this.campaignVersions.set(id, [...(this.campaignVersions.get(id) ?? []), this.tick()]);
  }

  /** Makes a backup of the service. */
  backUp(): void {
    this.log('The website makes a backup.');
    this.#backup = this.service.backup();
  }

  /** Restores the backup. Nobody knows what the service did in between. */
  restore(): void {
    if (this.#backup === undefined) return;
    this.hasRestored = true;
    const before = [...this.templateWords, ...findWords(JSON.stringify(this.#trash ?? ''))];
    this.log('The website restores the backup.');
    this.#backup();
    const after = this.templateWords;
    for (const word of before) if (!after.includes(word)) this.givenUp.add(word);
    this.listChanges = this.tick();
    for (const { id, sent } of this.service.store.campaigns.values()) {
      this.campaignVersions.set(id, [...(this.campaignVersions.get(id) ?? []), this.listChanges]);
      if (sent === 1) this.websiteSends.set(id, [...(this.websiteSends.get(id) ?? []), this.listChanges]);
    }
  }

  /** Records that a user replaces a text with another one on purpose. */
  giveUp(text: string, replacement: string): void {
    const stays = new Set(findWords(replacement));
    for (const word of findWords(text)) if (!stays.has(word)) this.givenUp.add(word);
  }

  /** Returns a new word, which is in no other text. */
  createWord(author: string): string {
    const word = `w${this.words.size}x`;
    this.words.set(word, author);
    return word;
  }

  /** Starts a command of a process. Returns undefined if one of its kind is still running. */
  start(
    process: Process,
    kind: string,
    name: string,
    act: (operation: Operation) => Promise<unknown>,
    details: Partial<Pick<Operation, 'campaignId' | 'text' | 'what' | 'isRetry' | 'probe'>> = {},
  ): Operation | undefined {
    if (process.running.has(kind)) return undefined;
    const operation: Operation = { number: this.operations.length, process, kind, name, requests: [], ...details };
    this.operations.push(operation);
    process.running.set(kind, operation);
    this.log(`${process.name} ${name}.`);
    enter(process);
    const reportedBefore = process.vscode?.user.notifications.length ?? 0;
    const settle = (result: { readonly value?: unknown; readonly error?: unknown }) => {
      if (process.isDead) return;
      // The user was told that somebody else stored another text meanwhile.
      const notifications = process.vscode?.user.notifications ?? [];
      operation.reported = notifications.slice(reportedBefore).join('\n');
      const told = [...process.printed, ...notifications].join('\n');
      if (/service changed/u.test(told)) process.machine.told.push(...this.templateWords);
      operation.result = { ...result, at: this.tick() };
      process.running.delete(kind);
      const { value, error } = result;
      if (value === 1) this.#checkDiscarded(operation);
      const text = error instanceof Error ? error.message : (JSON.stringify(value) ?? 'nothing');
      this.log(`${process.name} ${name}: ${'error' in result ? 'fails' : 'ends'}: ${text.replaceAll('\n', ' ')}`);
    };
    void act(operation).then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    );
    return operation;
  }

  /** Returns a running window with what it left, and starts it if needed. */
  openWindow(name: string, seed: number): Process {
    const state: PersistedWindow = this.windows.get(name) ?? { bases: new Map(), editor: undefined };
    this.windows.set(name, state);
    if (state.process?.isDead === false) return state.process;
    const process = new Process(this, name, this.machines.laptop, seed);
    state.process = process;
    this.processes.push(process);
    this.log(`${name} starts.`);
    const vscode = this.code.createVscode();
    const { user } = vscode;
    process.vscode = vscode;
    vscode.env.sessionId = `session ${process.pid}`;
    user.usePickItem = ([first]) => first;
    user.decide = (message) => this.#decide(process, message);
    user.usePanel = (panel) =>
      void this.#think(process).then(() => {
        if (this.isObliging || process.random.chance(0.9)) panel.receive({ type: 'continue' });
        else panel.dispose();
      });
    process.opening = this.code
      .createWindow(vscode)
      .openWindow({
        connection: this.connection,
        apiKey: KEY,
        storage: STORAGE,
        folder: FOLDER,
        templateId: TEMPLATE_ID,
        state,
        handleRevert: (text) => {
          findWords(text).forEach((word) => this.givenUp.add(word));
          // A late request may still store what the user gave up.
          process.machine.told.push(...findWords(text).filter((word) => !this.templateWords.includes(word)));
        },
        askAboutConflict: async (theirs) => {
          this.shownTexts.push(theirs);
          this.log(`${name} is asked about a conflict.`);
          await this.#think(process);
          const answer = this.isObliging
            ? 'overwrite'
            : process.random.pick(['overwrite', 'overwrite', 'revert', undefined] as const);
          this.log(`${name} answers ${answer ?? 'nothing'}.`);
          if (answer === 'overwrite') this.#agreeToOverwrite(process, theirs);
          return answer;
        },
        askAboutLateSave: async (mine, theirs) => {
          this.shownTexts.push(mine, theirs);
          await this.#think(process);
          const answer = process.random.pick(['saveNewer', 'keepEarlier', undefined] as const);
          if (answer === 'saveNewer') this.#agreeToOverwrite(process, theirs);
          return answer;
        },
      })
      .then((window) => (process.window = window));
    return process;
  }

  /** Returns a new process of the command line, which runs one command. */
  openCommandLine(actor: string, machine: Machine, seed: number): Process {
    const process = new Process(this, actor, machine, seed);
    this.processes.push(process);
    return process;
  }

  /** Returns whether the user of a process decided to replace these words. */
  hasDecided(process: Process, operation: Operation | undefined, words: readonly string[]): boolean {
    const overwriting = this.#overwriting.get(process);
    if (operation?.confirmed?.button.startsWith('Overwrite') === true) return true;
    return words.every((word) => overwriting?.has(word) === true || process.machine.told.includes(word));
  }

  /** A user who is asked twice may answer the first question last. */
  #agreeToOverwrite(process: Process, theirs: string) {
    this.#overwriting.set(process, new Set([...(this.#overwriting.get(process) ?? []), ...findWords(theirs)]));
  }

  /** Resolves once a user has thought about a question. */
  #think(process: Process): Promise<void> {
    const { random } = process;
    const scale = random.weighted({ second: 60, minute: 30, hour: 10 });
    const ms = random.next() * { second: 8 * SECOND, minute: 4 * MINUTE, hour: 2 * HOUR }[scale];
    return this.scheduler.pause(this.isQuiet ? SECOND : 500 + ms, process);
  }

  /** Answers a message with buttons as its user does: reads, and accepts, declines, or walks away. */
  async #decide(process: Process, message: ShownMessage): Promise<string | undefined> {
    const { random } = process;
    const { isModal, buttons, text } = message;
    if (process.isDead) return undefined;
    const asked = findOperation(process, message);
    this.messages.push({ process, message });
    this.log(`${process.name} is asked: ${text} [${buttons.join('] [')}]`);
    const asks = this.tick();
    const shown = this.ledger.getLastRead(process, `campaign ${asked?.campaignId}`)?.text;
    const file = process.machine.disk.readText(`${FOLDER}/letter/body.html`);
    await this.#think(process);
    const choice = this.isObliging
      ? 'first'
      : isModal
        ? random.weighted({ first: 72, other: 10, cancel: 12, walkAway: 6 })
        : random.weighted({ first: 15, other: 10, cancel: 15, walkAway: 60 });
    if (isModal && asked?.probe === 'cancel') return undefined;
    if (choice === 'walkAway' && !this.isQuiet) {
      if (asked !== undefined) asked.isAbandoned = true;
      return new Promise(() => undefined);
    }
    const button =
      choice === 'first'
        ? buttons.find((each) => each !== "Don't Send")
        : choice === 'other'
          ? random.pick(buttons)
          : undefined;
    this.log(`${process.name} answers ${button ?? 'nothing'}.`);
    if (button === 'Discard' && file !== undefined && asked !== undefined) {
      asked.discarded = file;
      this.giveUp(file, this.templateWords.join(' '));
    }
    if (button === 'Send Again') this.repeats.push(this.tick());
    if (isModal && button !== undefined && asked !== undefined && !/^(?:Create List|Discard|Don't Send)$/u.test(button))
      asked.confirmed = { message, button, at: asks, shown, file };
    return button;
  }

  /** Right after a user discarded changes, they can be restored. */
  #checkDiscarded({ discarded = '', process: { name, machine } }: Operation) {
    const paths = [...machine.disk.files.keys()].filter((path) => path.includes('/versions/'));
    const versions = new Set(paths.flatMap((path) => findWords(machine.disk.readText(path) ?? '')));
    const missing = findWords(discarded).filter((word) => !versions.has(word));
    if (missing.length > 0) this.ledger.problems.push(`${name} discarded ${missing.join(', ')} for good.`);
  }

  /** Plans faults for what a process does next. */
  plan(process: Process, faults: readonly PlannedFault[], seed: number): void {
    process.random = new Random(seed);
    process.faults.push(...faults.map((fault) => ({ fault, left: fault.skip })));
  }
}

/** Returns the running command that asks. */
function findOperation({ running }: Process, { text }: ShownMessage): Operation | undefined {
  if (/subscri/iu.test(text) && !/^Send/u.test(text)) return running.get('subscribe');
  if (text.startsWith('A test left')) return running.get('focus');
  if (/\btest\b|^Create the list/iu.test(text)) return running.get('test');
  if (/^(?:Push|Overwrite|Promote|Discard)/u.test(text)) return running.get('push');
  return running.get('send');
}
