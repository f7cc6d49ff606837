import type * as StandIn from '../support/vscodeStandIn.ts';
import type { ShownMessage } from '../support/vscodeStandIn.ts';
import type { Disk, DiskFault } from './disk.ts';
import type { NetworkFault } from './network.ts';
import { Random } from './random.ts';
import { enter, type Realm } from './realm.ts';
import type { Scheduler } from './scheduler.ts';
import type { Window } from './window.ts';
import type { World } from './world.ts';

export const FOLDER = '/home/project';
export const STORAGE = '/home/storage';

/** A computer with its disk. */
export class Machine {
  readonly name: string;
  readonly disk: Disk;
  asleepUntil = 0;
  /** Words that its user was told of, when the service returned another text than was pushed. */
  readonly told: string[] = [];
  readonly running = new Map<number, Process>();

  constructor(name: string, disk: Disk) {
    this.name = name;
    this.disk = disk;
  }
}

/** What a user does in one command, from the click to the result. */
export interface Operation {
  readonly number: number;
  readonly process: Process;
  readonly kind: string;
  readonly name: string;
  /** The campaign that a send is for. */
  readonly campaignId?: number;
  /** The text that a test sends. */
  readonly text?: string;
  /** What a test is of. */
  readonly what?: string;
  /** The user of a command line allowed it to repeat a request without a response. */
  readonly isRetry?: boolean;
  /** The modal confirmation that the user accepted, and its button. */
  confirmed?: {
    readonly message: ShownMessage;
    readonly button: string;
    readonly at: number;
    /** The campaign as its process had read it before. */
    readonly shown: string | undefined;
    /** The mapped file at that time. */
    readonly file: string | undefined;
  };
  /** The mapped file whose changes the user agreed to discard. */
  discarded?: string;
  /** The user walked away from its question. */
  isAbandoned?: boolean;
  /** Tries at the end whether the command can run: the user cancels it, or accepts everything. */
  readonly probe?: 'cancel' | 'accept';
  /** Orders of the requests that reach people or store texts. */
  readonly requests: number[];
  /** What its window reported meanwhile, one line each. */
  reported?: string;
  result?: { readonly value?: unknown; readonly error?: unknown; readonly at: number };
}

/** What happens to the process while it works, planned with a step. */
export interface PlannedFault {
  readonly on: 'network' | 'disk';
  readonly fault: NetworkFault | DiskFault;
  /** Requests or changes of the disk to skip first. */
  readonly skip: number;
  /** Only requests for this operation. */
  readonly operation?: string;
}

/** A running program with its own memory. */
export class Process implements Realm {
  readonly name: string;
  readonly actor: string;
  readonly machine: Machine;
  readonly world: World;
  readonly pid: number;
  isDead = false;
  /** Of the user's last step. */
  random: Random;
  faults: { fault: PlannedFault; left: number }[] = [];
  readonly startedAt: number;
  readonly disk: object;
  readonly network: object;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder = FOLDER;
  vscode: typeof StandIn | undefined;
  window: Window | undefined;
  /** Resolves once its window is open. */
  opening: Promise<Window> | undefined;
  /** Running commands by kind. */
  readonly running = new Map<string, Operation>();
  readonly printed: string[] = [];
  #hangsUntil = 0;

  constructor(world: World, actor: string, machine: Machine, seed: number) {
    this.startedAt = world.scheduler.now;
    this.world = world;
    this.actor = actor;
    this.machine = machine;
    this.random = new Random(seed);
    this.pid = 1000 + world.nextPid();
    this.name = actor;
    machine.running.set(this.pid, this);
    this.disk = machine.disk.createModule(this);
    this.network = world.network.createModule(this);
    this.environment = { MAILING_API_KEY: world.apiKey, PATH: '/bin' };
    enter(this);
  }

  get scheduler(): Scheduler {
    return this.world.scheduler;
  }

  get hostname(): string {
    return this.machine.name;
  }

  exists(path: string): boolean {
    return this.machine.disk.exists(path);
  }

  isRunning(pid: number): boolean {
    return this.machine.running.has(pid);
  }

  get asleepUntil(): number {
    return Math.max(this.machine.asleepUntil, this.#hangsUntil);
  }

  hang(ms: number): void {
    this.#hangsUntil = Math.max(this.#hangsUntil, this.scheduler.now + ms);
  }

  /** Ends at once. Its promises never settle, and its memory is gone. */
  crash(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.machine.running.delete(this.pid);
    this.world.log(`${this.name} crashes.`);
  }

  /** Ends normally, with nothing left to do. */
  end(): void {
    this.machine.running.delete(this.pid);
  }

  takeNetworkFault(operation: string): NetworkFault | undefined {
    const fault = this.#take('network', operation) as NetworkFault | undefined;
    if (fault !== undefined) {
      this.world.log(`${this.name}: ${operation} ${fault}.`);
      this.world.count(this.actor, operation, fault);
    }
    return fault;
  }

  takeDiskFault(operation: string, path: string): DiskFault | undefined {
    const fault = this.#take('disk', operation) as DiskFault | undefined;
    if (fault !== undefined) {
      this.world.log(`${this.name}: the disk has the fault "${fault}" at ${operation} of ${path}.`);
      this.world.count(this.actor, operation, fault);
    }
    return fault;
  }

  #take(on: PlannedFault['on'], operation: string) {
    const planned = this.faults.find(
      ({ fault }) => fault.on === on && (fault.operation === undefined || fault.operation === operation),
    );
    if (planned === undefined) return undefined;
    planned.left -= 1;
    if (planned.left >= 0) return undefined;
    this.faults.splice(this.faults.indexOf(planned), 1);
    return planned.fault.fault;
  }
}
