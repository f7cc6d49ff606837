import { escapeMessage } from '../../ui/text.ts';
import type { Leftover, TestCampaigns } from './testCampaigns.ts';

export interface LeftoverHost {
  warn(message: string, ...buttons: readonly string[]): Promise<string | undefined>;
  showError(error: unknown, connection: string): void;
  getConnectionName(connection: string): string;
  onDeleted(connection: string): void;
}

/** Offers to delete campaigns left by tests, each once per window. */
export class LeftoverOffers {
  readonly #campaigns: TestCampaigns;
  readonly #host: LeftoverHost;
  readonly #offered = new Set<string>();

  constructor(campaigns: TestCampaigns, host: LeftoverHost) {
    this.#campaigns = campaigns;
    this.#host = host;
  }

  /** Resolves when all offers are answered. */
  async offerAll(): Promise<void> {
    const left = (await this.#campaigns.findLeftovers()).filter(({ entry }) => !this.#offered.has(entry.what));
    for (const { entry } of left) this.#offered.add(entry.what);
    await Promise.all(left.map((each) => this.#offer(each)));
  }

  async #offer(leftover: Leftover): Promise<void> {
    const { connection } = leftover;
    const [remove, keep] = ['Delete Campaign', 'Keep Campaign'];
    const [name, service] = [escapeMessage(leftover.name), escapeMessage(this.#host.getConnectionName(connection))];
    try {
      const choice = await this.#host.warn(
        `A test left the draft "${name}" on ${service}. It wasn't sent.`,
        remove,
        keep,
      );
      if (choice === keep) await this.#campaigns.dismiss(leftover);
      if (choice !== remove) return;
      if (await this.#campaigns.delete(leftover)) this.#host.onDeleted(connection);
      else void this.#host.warn(`"${name}" changed on ${service}, so it wasn't deleted.`);
    } catch (error) {
      this.#host.showError(error, connection);
    }
  }
}
