import { findWords, type Fact } from './ledger.ts';
import type { Operation } from './process.ts';
import { KEY } from './service.ts';
import type { World } from './world.ts';

/** Returns what is wrong; undefined if the invariant holds. */
type Check = (world: World) => string | undefined;

/** What must hold after each step. Add an invariant here. */
const always: readonly Check[] = [
  ({ ledger }) => ledger.problems[0],
  checkErrors,
  checkSends,
  checkOutcomes,
  checkTests,
  checkPushed,
  checkStored,
  checkPending,
  checkTakenOver,
  checkRepeatedTests,
  checkMembers,
  checkSubscriptions,
];

/** What must hold when the world has become quiet. */
const atTheEnd: readonly Check[] = [checkWords, checkUnconfirmed, checkEnds, checkKey];

export function findProblem(world: World, when: 'step' | 'end'): string | undefined {
  for (const check of when === 'step' ? always : [...always, ...atTheEnd]) {
    const problem = check(world);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const describe = ({ process, name }: Operation) => `${process.name} ${name}`;

/** Commands fail for reasons that a user can read. Anything else would hide what they do. */
function checkErrors({ operations }: World): string | undefined {
  for (const operation of operations) {
    const error = String(operation.result?.error);
    if (/^(?:Type|Reference|Range|Syntax)Error/u.test(error))
      return `${describe(operation)} fails by a defect: ${error}`;
  }
  return undefined;
}

/** Each confirmed send reaches its recipients at most once, and is sent as it was shown. */
function checkSends({ ledger, operations, campaignVersions, websiteSends, listChanges }: World): string | undefined {
  const sent = new Map<string, { readonly operation: Operation; readonly handledAt: number }>();
  const commands = new Set<Operation>();
  for (const fact of ledger.facts) {
    const { operation, traffic, lastRead, deliveries, handledAt = 0, counts } = fact;
    if (traffic.operation !== 'sendCampaign') continue;
    if (operation === undefined) return `${traffic.user.name} sends a campaign without a command.`;
    const { confirmed } = operation;
    if (confirmed === undefined) return `${describe(operation)} without a confirmation.`;
    if (commands.has(operation)) return `${describe(operation)} with two requests.`;
    commands.add(operation);
    if ((lastRead?.receivedAt ?? 0) < confirmed.at && operation.kind === 'send')
      return `${describe(operation)} without reading it again after the confirmation.`;
    const count = counts.find(({ receivedAt }) => receivedAt > confirmed.at);
    if (count === undefined)
      return `${describe(operation)} without counting the recipients again after the confirmation.`;
    if (operation.kind !== 'send') continue;
    if (!isSameCampaign(confirmed.shown, lastRead?.text))
      return `${describe(operation)}, which had changed after the confirmation showed it.`;
    const [delivery] = deliveries;
    if (delivery === undefined) continue;
    const shownCount = Number(/ to ([\d,]+) recipient/u.exec(confirmed.message.text)?.[1]);
    const countedAt = count.handledAt;
    // A late request reaches whoever is on the lists by then.
    const hasListChanged =
      listChanges > countedAt ||
      ledger.facts.some(
        (other) =>
          /^(?:un)?subscribeUsers$/u.test(other.traffic.operation) &&
          (other.handledAt ?? 0) > countedAt &&
          (other.handledAt ?? 0) < handledAt,
      );
    if (shownCount !== delivery.recipients.length && !hasListChanged)
      return `${describe(operation)} to ${delivery.recipients.length} recipients, but the confirmation named ${shownCount}.`;
    const id = operation.campaignId ?? 0;
    // A campaign that the website changed or sent since is another email.
    const version = Math.max(...(campaignVersions.get(id) ?? []).filter((at) => at < handledAt));
    const key = `${id}/${version}`;
    const other = sent.get(key);
    // A user who sends again after a lost response agrees that the lost request may still arrive.
    const isAgreed = operations.some(
      ({ campaignId, confirmed: answer }) =>
        campaignId === id && answer?.button === 'Send Again' && answer.at > fact.sentAt && answer.at < handledAt,
    );
    const isConfused = isAgreed || (websiteSends.get(id) ?? []).length > 0;
    if (confirmed.button !== 'Send Again' && other !== undefined && !isConfused)
      return `${describe(operation)} after ${describe(other.operation)} sent it: the recipients got it twice.`;
    if (confirmed.button !== 'Send Again' && !isAgreed) sent.set(key, { operation, handledAt });
  }
  return undefined;
}

/** Compares what two responses say about a campaign. */
function isSameCampaign(one: string | undefined, other: string | undefined) {
  const read = (text = '[{}]') => {
    const [{ subject, body, listIds, name } = {}] = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
    return JSON.stringify([subject, body, listIds, name]);
  };
  return read(one) === read(other);
}

/** Each "sent" is true, each "not sent" is true. */
function checkOutcomes({ ledger, operations, websiteSends }: World): string | undefined {
  const delivered = new Set(
    ledger.facts.filter(({ deliveries }) => deliveries.length > 0).map(({ operation }) => operation),
  );
  for (const operation of operations) {
    const { kind, result, campaignId = 0, requests } = operation;
    if (result === undefined || (kind !== 'send' && kind !== 'test')) continue;
    if ('error' in result && delivered.has(operation))
      return `${describe(operation)} failed, but was sent: ${String(result.error)}`;
    const { outcome } = (result.value ?? {}) as { readonly outcome?: string };
    if (outcome === undefined && !('error' in result) && delivered.has(operation))
      return `${describe(operation)} was canceled, but was sent.`;
    const isSentElsewhere = (websiteSends.get(campaignId) ?? []).some((at) => at > (operation.confirmed?.at ?? 0));
    const isSent =
      delivered.has(operation) ||
      ledger.facts.some(
        (fact) =>
          fact.deliveries.length > 0 &&
          fact.operation?.campaignId === campaignId &&
          (fact.handledAt ?? 0) > (requests[0] ?? 0),
      );
    if (outcome === 'sent' && !isSent && !isSentElsewhere)
      return `${describe(operation)} is reported as sent, but wasn't.`;
  }
  return undefined;
}

/** A test reaches only the recipients that its confirmation named, once each, with the text that was shown. */
function checkTests({ ledger, added, moved }: World): string | undefined {
  const reached = new Set<string>();
  for (const { operation, deliveries, traffic, counts, lastRead } of ledger.facts) {
    if (deliveries.length === 0 || operation?.kind !== 'test') continue;
    // Nobody can know of a change after the last read.
    const isMoved = deliveries.some(({ campaignId }) => (moved.get(campaignId ?? 0) ?? 0) > (lastRead?.handledAt ?? 0));
    if (isMoved) continue;
    if (!/^send(?:Campaign|EmailToSingleUser)$/u.test(traffic.operation))
      return `${describe(operation)}: ${traffic.operation} sent an email.`;
    const named = new Set(operation.confirmed?.message.detail.toLowerCase().match(/[^\s,<>]+@[^\s,<>]+/gu) ?? []);
    for (const { recipients, mail } of deliveries) {
      if (mail.body !== operation.text) return `${describe(operation)} sent another text: ${mail.body}`;
      for (const recipient of recipients) {
        // Nobody can know of a change after the last read.
        const isNew = (added.get(recipient) ?? 0) > (counts.at(-1)?.handledAt ?? 0);
        if (!named.has(recipient.toLowerCase()) && !isNew)
          return `${describe(operation)} reached ${recipient}, whom the confirmation didn't name.`;
        const key = `${operation.number} ${recipient}`;
        if (reached.has(key)) return `${describe(operation)} reached ${recipient} twice.`;
        reached.add(key);
      }
    }
  }
  return undefined;
}

/** Every word that somebody typed and saved is somewhere. */
function checkWords(world: World): string | undefined {
  const places = [...world.shownTexts];
  for (const { disk } of Object.values(world.machines))
    for (const path of disk.files.keys()) places.push(disk.readText(path) ?? '');
  for (const files of world.branches.values()) places.push(...files.values());
  for (const { editor } of world.windows.values()) places.push(editor?.text ?? '');
  const found = new Set([...places.flatMap(findWords), ...world.templateWords]);
  for (const [word, author] of world.words)
    if (!found.has(word) && !world.givenUp.has(word)) return `${word}, which ${author} wrote, is nowhere.`;
  return undefined;
}

/** A send without a response is recorded until it is resolved. */
function checkUnconfirmed({ operations, machines, ledger, websiteSends }: World): string | undefined {
  const { disk } = machines.laptop;
  const recorded = [...disk.files.keys()]
    .filter((path) => path.includes('/sendings/') && path.endsWith('.jsonl'))
    .map((path) => disk.readText(path) ?? '');
  for (const operation of operations) {
    const { kind, requests, result, campaignId } = operation;
    const [requestedAt] = requests;
    if (kind !== 'send' || requestedAt === undefined || (result !== undefined && 'error' in result)) continue;
    const isSent = ledger.facts.some(
      (fact) =>
        fact.deliveries.length > 0 && fact.operation?.campaignId === campaignId && (fact.handledAt ?? 0) > requestedAt,
    );
    const isRecorded = recorded.some((text) => text.includes(`"campaignId":${campaignId}`));
    // The window may have crashed right after it removed the entry of a refused request.
    const isAnswered = ledger.facts.every((fact) => fact.operation !== operation || fact.answeredAt !== undefined);
    // The record shows a send on the website too, also one between the confirmation and the request.
    const readAt = operation.confirmed?.at ?? requestedAt;
    if (!isSent && !isRecorded && !isAnswered && !(websiteSends.get(campaignId ?? 0) ?? []).some((at) => at > readAt))
      return `${describe(operation)} was requested, never confirmed, and is forgotten.`;
  }
  return undefined;
}

/** Nothing stays locked: every command ends, and the commands that are tried at the end can run. */
function checkEnds({ operations }: World): string | undefined {
  for (const operation of operations) {
    const { process, result, isAbandoned } = operation;
    if (result === undefined && !process.isDead && isAbandoned !== true) return `${describe(operation)} never ends.`;
    if (operation.probe !== 'cancel') continue;
    const text = `${String(result?.error)} ${JSON.stringify(result?.value)}`;
    if (/already being sent|is damaged|still changing the same file|Another push|Another test is using/u.test(text))
      return `${describe(operation)} at the end, and is still refused: ${text}`;
  }
  return undefined;
}

/** A push stores exactly the file that its confirmation was about. A window that also saved may have sent the request for its tab. */
function checkPushed({ ledger, operations }: World): string | undefined {
  const saved = new Set(operations.flatMap(({ kind, process }) => (kind === 'save' ? process : [])));
  for (const { operation, traffic } of ledger.facts) {
    if (traffic.operation !== 'updateTemplate' || operation?.kind !== 'push' || saved.has(operation.process)) continue;
    const { confirmed } = operation;
    const { body } = JSON.parse(traffic.request.body) as { readonly body?: string };
    if (confirmed === undefined) return `${describe(operation)} without a confirmation.`;
    if (body !== undefined && body !== confirmed.file)
      return `${describe(operation)}, but the file had changed after the confirmation.`;
  }
  return undefined;
}

/** A save or push that is reported as stored was stored before. */
function checkStored({ operations, ledger }: World): string | undefined {
  for (const operation of operations) {
    const { kind, result, reported = '' } = operation;
    if (result === undefined) continue;
    const { stored } = (result.value ?? {}) as { readonly stored?: string };
    if (kind === 'save' && stored !== undefined && !ledger.storedTexts.has(stored))
      return `${describe(operation)} is reported as saved, but the service never had the text.`;
    const isReported = kind === 'push' ? /^(?:Pushed|Stored)/mu.test(reported) : / pushed /u.test(String(result.value));
    const sent = ledger.facts.flatMap((fact) => (fact.operation === operation ? fact.traffic.request.body : []));
    // An earlier request for the same text may have stored it.
    const isStored = ledger.facts.some(
      ({ traffic, handledAt = Infinity }) => sent.includes(traffic.request.body) && handledAt < result.at,
    );
    if ((kind === 'push' || kind === 'mailing') && isReported && !isStored)
      return `${describe(operation)} is reported as pushed, but wasn't.`;
  }
  return undefined;
}

/** While an earlier push may still be stored, nobody on the same machine pushes another text without being told. */
function checkPending({ ledger }: World): string | undefined {
  const pushes = ledger.facts.filter(
    ({ traffic, operation }) => traffic.operation === 'updateTemplate' && /push|mailing/u.test(operation?.kind ?? ''),
  );
  for (const [at, fact] of pushes.entries()) {
    const { operation, process, traffic } = fact;
    if (operation?.isRetry === true || operation?.confirmed !== undefined) continue;
    const pending = pushes.slice(0, at).find(
      (other) =>
        other.process.machine === process.machine &&
        other.operation !== operation &&
        isPending(other, fact) &&
        // Its text was on the service meanwhile, so nobody can tell it from a request that ended.
        !pushes.some(
          (same) =>
            same !== other &&
            same.traffic.request.body === other.traffic.request.body &&
            same.sentAt > other.sentAt &&
            (same.handledAt ?? Infinity) < fact.sentAt,
        ) &&
        traffic.sentTime - other.traffic.sentTime < PUSH_EXPIRY_MS &&
        traffic.request.body !== other.traffic.request.body,
    );
    if (pending?.operation !== undefined)
      return `${operation && describe(operation)}, while ${describe(pending.operation)} may still be stored.`;
  }
  return undefined;
}

/** After this time, a push can't be stored any more. */
const PUSH_EXPIRY_MS = 60 * 60_000;

/** Returns whether the service carried out a request after another one was sent, and nobody knew what became of it. */
function isPending({ handledAt = 0, answeredAt = Infinity }: Fact, { sentAt }: Fact) {
  return handledAt > sentAt && answeredAt > sentAt;
}

/** A window whose send another one has continued sends nothing. */
function checkTakenOver({ ledger, campaignVersions }: World): string | undefined {
  const sends = ledger.facts.filter(
    ({ traffic, operation }) => traffic.operation === 'sendCampaign' && operation?.kind === 'send',
  );
  for (const { operation, process, sentAt } of sends) {
    const { campaignId = 0, confirmed } = operation ?? {};
    if (operation === undefined || confirmed === undefined) continue;
    const asked = confirmed.at;
    const isChanged = (campaignVersions.get(campaignId) ?? []).some((at) => at > asked && at < sentAt);
    const other = sends.find(
      (fact) =>
        fact.operation !== operation &&
        fact.operation?.campaignId === campaignId &&
        fact.process.machine === process.machine &&
        fact.deliveries.length > 0 &&
        fact.sentAt > asked &&
        fact.sentAt < sentAt,
    );
    if (other?.operation !== undefined && !isChanged)
      return `${describe(operation)}, although ${describe(other.operation)} after its confirmation.`;
  }
  return undefined;
}

/** A test is repeated only with the user's agreement while an earlier one of the same email may still be sent. */
function checkRepeatedTests({ ledger, hasRestored }: World): string | undefined {
  const requests = ledger.facts.filter(
    ({ traffic, operation }) =>
      operation?.kind === 'test' &&
      operation.confirmed !== undefined &&
      /^send(?:Campaign|EmailToSingleUser)$/u.test(traffic.operation),
  );
  for (const [at, fact] of requests.entries()) {
    const { operation, process, traffic } = fact;
    if (operation?.confirmed === undefined || operation.confirmed.button === 'Send Again' || hasRestored) continue;
    const last = requests
      .slice(0, at)
      .findLast(
        (other) =>
          other.process.machine === process.machine &&
          other.operation !== operation &&
          other.operation?.what === operation.what,
      );
    if (last?.operation === undefined || last.answeredAt !== undefined) continue;
    // The record of a campaign shows that it was sent.
    const isShown = last.traffic.operation === 'sendCampaign' && (last.handledAt ?? Infinity) < fact.sentAt;
    if (!isShown && traffic.sentTime - last.traffic.sentTime < TEST_EXPIRY_MS)
      return `${describe(operation)}, although nobody knows what became of ${describe(last.operation)}.`;
  }
  return undefined;
}

const TEST_EXPIRY_MS = 7 * 24 * 60 * 60_000;

/** A test uses a list only if no earlier change of its members may still take effect. */
function checkMembers({ ledger }: World): string | undefined {
  const tests = ledger.facts.filter(({ operation }) => operation?.kind === 'test');
  const changes = tests.filter(({ traffic }) => /^(?:un)?subscribeUsers$/u.test(traffic.operation));
  for (const fact of tests) {
    const { operation, process, traffic } = fact;
    if (operation === undefined || traffic.operation !== 'sendCampaign') continue;
    const own = changes.find((change) => change.operation === operation);
    const late = changes.find(
      (change) =>
        own !== undefined &&
        change.process.machine === process.machine &&
        change.sentAt < fact.sentAt &&
        isPending(change, fact) &&
        getList(change) === getList(own),
    );
    if (late?.operation !== undefined)
      return `${describe(operation)}, while a change of its list by ${describe(late.operation)} is pending.`;
  }
  return undefined;
}

const getList = ({ traffic }: Fact) =>
  JSON.stringify((JSON.parse(traffic.request.body) as { readonly listIds?: unknown }).listIds);

/** A change of subscriptions that the service carried out is only repeated if a user agrees. */
function checkSubscriptions({ ledger, repeats }: World): string | undefined {
  const done = new Map<string, number>();
  for (const { traffic, operation, sentAt, handledAt, reply } of ledger.facts) {
    const { body } = traffic.request;
    if (!/^(?:un)?subscribeUsers$/u.test(traffic.operation) || !body.includes('nobody')) continue;
    if (operation?.confirmed === undefined) return `${traffic.user.name} changes subscriptions without a confirmation.`;
    const before = done.get(body);
    if (before !== undefined && before < sentAt && !repeats.some((at) => at > before && at < sentAt))
      return `${describe(operation)}: repeats a request that the service had carried out.`;
    if (handledAt !== undefined && (reply?.status ?? 0) < 300) done.set(body, handledAt);
  }
  return undefined;
}

/** The key is in no file, message, output or URL. */
function checkKey({ machines, messages, processes, ledger, operations }: World): string | undefined {
  for (const { disk } of Object.values(machines))
    for (const path of disk.files.keys()) if (disk.readText(path)?.includes(KEY)) return `The key is in ${path}.`;
  if (messages.some(({ message }) => JSON.stringify(message).includes(KEY))) return 'The key is in a message.';
  if (processes.some(({ printed }) => printed.some((text) => text.includes(KEY)))) return 'The key was printed.';
  if (operations.some(({ result }) => String(result?.error).includes(KEY))) return 'The key is in an error.';
  if (ledger.facts.some(({ traffic }) => traffic.request.path.includes(KEY))) return 'The key is in a URL.';
  return undefined;
}
