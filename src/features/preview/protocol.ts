import type { LinkClicks } from '../../service/statistics/counts.ts';
import * as v from 'valibot';
import { MAX_PICTURES, type LocalPicture } from '../../email/html/pictures.ts';
import type { Change } from '../../email/html/text.ts';
import type { Finding } from '../../email/checks/model.ts';
import type { Envelope } from '../../email/compose/compose.ts';
import { lensNames } from '../../email/lenses/model.ts';
import type { SentOptions } from '../../email/sent/model.ts';
import type { NamedPerson, SitePosts } from '../../email/tags/index.ts';
import type { Row } from '../../service/client/shapes.ts';
import { countSchema } from '../../ui/protocol.ts';
import { initialToolbar } from './model.ts';

export type { LinkClicks };

const partSchema = v.picklist(['body', 'stylesheet']);
/** The documents whose text is sent to the page. */
export type Part = v.InferOutput<typeof partSchema>;

/** The toolbar's settings, which the host stores. */
const toolbarSchema = v.object({
  /** The shown version of an email: as written, as the service sends it, its plain-text part, or as several mail clients show it. */
  view: v.picklist(['authored', 'sent', 'text', 'clients']),
  /** The mail client that the sent version is shown as. */
  lens: v.picklist(['none', ...lensNames]),
  width: v.picklist(['320', '375', '600', 'full']),
  scheme: v.picklist(['light', 'dark']),
  /** Whether remote images, fonts and stylesheets are loaded. */
  remote: v.boolean(),
  /** Whether the inbox line also shows the address and the whole preheader. */
  isInboxOpen: v.boolean(),
});
export type ToolbarState = Readonly<v.InferOutput<typeof toolbarSchema>>;

/** Reads stored settings. Invalid ones, such as those of another version, become the defaults. */
export function readToolbar(stored: Row = {}): ToolbarState {
  const valid = Object.entries(toolbarSchema.entries)
    .filter(([name, schema]) => v.is(schema, stored[name]))
    .map(([name]) => [name, stored[name]]);
  return v.parse(toolbarSchema, { ...initialToolbar, ...Object.fromEntries(valid) });
}

/** The service that sends an email. */
export interface SendingService {
  /** `documented`: the API document doesn't describe how this service composes emails. */
  readonly profile: 'documented' | 'acymailing';
  readonly site?: string;
  /** The email belongs to no service and is shown as this one would send it. */
  readonly isAssumed: boolean;
}

/** The initial content of the page. */
export interface PreviewContent {
  /** URI of the body document. The page stores it to restore the preview. */
  readonly document: string;
  readonly title: string;
  /** Whether the preview is locked to this email. */
  readonly locked: boolean;
  readonly body: string;
  readonly stylesheet: string;
  readonly envelope?: Envelope;
  /** The fields of the envelope that the user can edit. */
  readonly editable?: Partial<Envelope>;
  /** The recipient of a message as it was received, which has no authored version. */
  readonly recipient?: string;
  /** Base of relative addresses in a local file. */
  readonly base?: string;
  /** The folder that local pictures may be loaded from, as an address that ends in a slash. It contains `base`. */
  readonly root?: string;
  readonly toolbar: ToolbarState;
}

/** The people that an email can be previewed as, and the selected one. */
export interface ViewerChoices {
  /** The connection's tag setting: see `languageOf`. */
  readonly tags: unknown;
  /** People beyond the built-in sample people. */
  readonly people: readonly NamedPerson[];
  /** Posts of the site that content tags show. */
  readonly posts?: SitePosts;
  /** Id of the selected person. Empty if raw tags are shown. */
  readonly personId: string;
  /** Whether a subscriber of a service can be picked. */
  readonly canPick: boolean;
}

/** The clicks on an email's links, shown as a heat map over its preview. */
export interface LinkHeat {
  readonly links: readonly LinkClicks[];
  /** The address of the initially selected link. */
  readonly selectedAddress?: string;
  /** When the clicks were counted, for display: "10:42". */
  readonly countedAt: string;
}

/** A version of an email in a comparison. */
export interface ComparedVersion {
  readonly label: string;
  readonly body: string;
  readonly stylesheet: string;
  readonly envelope?: Envelope;
  readonly sending: SentOptions;
  readonly sent: { readonly html: string; readonly text: string };
  readonly findings: readonly Finding[];
}

/** Two versions of an email, the earlier one first. `base` and `root` as in the preview. */
export interface ComparedVersions extends Pick<PreviewContent, 'base' | 'root'> {
  readonly versions: readonly ComparedVersion[];
}

export type ToPage =
  /** Another email is being read. Until `show`, the page shows its title only. */
  | { readonly type: 'opening'; readonly title: string }
  | ({ readonly type: 'show' } & PreviewContent)
  | ({ readonly type: 'compare' } & ComparedVersions)
  /** `length` is the part's length after the changes. If the page's text has another length, it requests the initial content again. */
  | { readonly type: 'change'; readonly part: Part; readonly changes: readonly Change[]; readonly length: number }
  | ({ readonly type: 'envelope' } & Pick<PreviewContent, 'envelope' | 'editable'>)
  /**
   * The sent version, as a change of the previous one (of an empty text after `show`). Without texts if composing failed, or if too much is missing.
   * `note`: what is missing.
   */
  | {
      readonly type: 'sent';
      readonly service: SendingService;
      readonly note?: string | undefined;
      readonly html?: Change;
      readonly text?: Change;
    }
  | { readonly type: 'pictures'; readonly pictures: readonly LocalPicture[] }
  | { readonly type: 'locked'; readonly locked: boolean }
  | ({ readonly type: 'viewers' } & ViewerChoices)
  /** The editor cursor's offset in the body. Absent if the cursor is in another document. */
  | { readonly type: 'cursor'; readonly offset?: number }
  /** A message about unreadable documents. Absent once all of them can be read. */
  | { readonly type: 'readFailure'; readonly message?: string }
  /** The number of problems that the checks found. */
  | { readonly type: 'problems'; readonly errors: number; readonly warnings: number }
  /** An image to scale to the element at an offset of the body. */
  | {
      readonly type: 'scaleImage';
      readonly id: number;
      readonly image: Uint8Array<ArrayBuffer>;
      readonly format: string;
      readonly offset: number;
    }
  /** The clicks to show. The page scrolls to the selected link once for each `heatId`. */
  | { readonly type: 'heat'; readonly heat: LinkHeat; readonly heatId: number };

/** Paths of the email's local pictures, relative to its folder. Untrusted text. */
const picturesSchema = v.object({
  type: v.literal('pictures'),
  paths: v.pipe(v.array(v.string()), v.maxLength(MAX_PICTURES), v.readonly()),
});

/** The messages of a page that compares versions. */
export const fromComparison = v.variant('type', [v.object({ type: v.literal('ready') }), picturesSchema]);

export type FromComparison = v.InferOutput<typeof fromComparison>;

export const fromPage = v.variant('type', [
  v.object({
    type: v.picklist([
      'ready',
      // Reads documents again that could not be read.
      'retry',
      // Opens the editor at the first problem.
      'revealProblem',
      // The user closed the heat map.
      'heatClosed',
    ]),
  }),
  picturesSchema,
  v.object({ type: v.literal('toolbar'), toolbar: toolbarSchema }),
  /** The shown size of an image, and the image itself if it was scaled. */
  v.object({
    type: v.literal('imageScaled'),
    id: countSchema,
    width: countSchema,
    height: countSchema,
    image: v.optional(v.instance(Uint8Array)),
  }),
  /** The user edited a field of the email with this body document. */
  v.object({
    type: v.literal('edit'),
    document: v.string(),
    field: v.picklist(['subject', 'preheader', 'from_name', 'from_email']),
    text: v.string(),
  }),
  /** The user clicked something that comes from this position. */
  v.object({ type: v.literal('reveal'), part: partSchema, offset: countSchema }),
  v.object({ type: v.picklist(['openLink', 'copyLink']), href: v.string() }),
  /** The selected person's id, empty for raw tags, or `PICK_SUBSCRIBER`. */
  v.object({ type: v.literal('selectPerson'), personId: v.string() }),
]);
export type FromPage = v.InferOutput<typeof fromPage>;
