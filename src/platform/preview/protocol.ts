import type { Change } from '../../email/html/changes.ts';
import type { Envelope } from '../../email/compose/compose.ts';
import { lensNames, type LensName } from '../../email/lenses/model.ts';
import type { NamedPerson } from '../../email/tags/index.ts';
import { isBoolean, isArrayOf, isOneOf, isShape, isString, isCount, type MessageShapes } from '../webview/messages.ts';

/** The documents whose text the page holds. */
export type Part = 'body' | 'stylesheet';

export type DeviceWidth = '320' | '375' | '600' | 'full';
export type Zoom = 'fit' | '50' | '75' | '100' | '125' | '150' | '200';

/** What of an email is looked at: as it was written, as the service sends it, or the text part of that. */
export type View = 'authored' | 'sent' | 'text';

/** What the toolbar is set to. The host keeps it. */
export interface ToolbarState {
  readonly view: View;
  /** What lies over what is sent. */
  readonly lens: LensName | 'none';
  /** Several lenses side by side. */
  readonly grid: boolean;
  readonly width: DeviceWidth;
  readonly zoom: Zoom;
  readonly scheme: 'light' | 'dark';
  /** Whether images, fonts and stylesheets are fetched from the outside. */
  readonly remote: boolean;
}

/** Remote images are off at first: a picture that is fetched tells its sender that somebody looked. */
export const initialToolbar: ToolbarState = {
  view: 'authored',
  lens: 'none',
  grid: false,
  width: 'full',
  zoom: 'fit',
  scheme: 'light',
  remote: false,
};

/** Who sends it, as far as that is known. */
export interface SendingService {
  /** `documented`: a service whose document doesn't tell what it makes of an email. */
  readonly profile: 'documented' | 'acymailing';
  /** Address of the site. */
  readonly site?: string;
  /** The email belongs to no service: it is shown as this one would send it. */
  readonly isAssumed: boolean;
}

/** What the page is to show: everything it needs to begin. */
export interface PreviewContent {
  /** URI of the body document: the page gives it back when it is restored. */
  readonly document: string;
  readonly title: string;
  /** It stays with this email. */
  readonly locked: boolean;
  readonly body: string;
  readonly stylesheet: string;
  readonly envelope?: Envelope;
  /** What relative addresses refer to, for a local file. */
  readonly base?: string;
  /** The folder that pictures of a local file may be in, as an address that ends in a slash: `base` is in it. */
  readonly root?: string;
  readonly toolbar: ToolbarState;
}

/** Whom the email can be looked at as, and whom it is. */
export interface ViewerChoices {
  /** What the connection says of its tags: see `languageOf`. */
  readonly tags: unknown;
  /** People beside those that every preview has. */
  readonly people: readonly NamedPerson[];
  /** Id of a person; empty: nobody, the tags are shown themselves. */
  readonly personId: string;
  /** Whether there is a service to pick a subscriber of. */
  readonly canPick: boolean;
}

/** In place of a person's id: somebody of the service is to be picked. */
export const PICK_SUBSCRIBER = 'pick';

/** Clicks on one link of an email that was sent. */
export interface HeatLink {
  /** The address as the service has it: hostile text. */
  readonly address: string;
  readonly total: number;
  /** People who clicked. */
  readonly unique: number;
  /** Of all clicks on all links, 0 to 1. */
  readonly share: number;
}

/** The clicks on the links of an email, to be laid over its preview. */
export interface LinkHeat {
  readonly links: readonly HeatLink[];
  /** The address of the link that is meant above all others. */
  readonly selectedAddress?: string;
  /** When the clicks were counted, as text: "10:42". */
  readonly countedAt: string;
}

/** How many pictures of its folder an email shows at most, and bytes of one and of all of them. */
export const MAX_PICTURES = 500;
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;
export const MAX_TOTAL_PICTURE_BYTES = 16 * 1024 * 1024;

const pictureMediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/** Endings of pictures that are not shown: most mail clients don't show them either. */
const unsupportedPictureExtensions = [
  'apng',
  'avif',
  'bmp',
  'eps',
  'heic',
  'heif',
  'ico',
  'jfif',
  'jxl',
  'pdf',
  'psd',
  'svgz',
  'tif',
  'tiff',
];

/** The media type of a picture that is shown, by its path; undefined for every other file. */
export function getPictureMediaType(path: string): string | undefined {
  const extension = getExtension(path);
  return Object.hasOwn(pictureMediaTypes, extension) ? pictureMediaTypes[extension] : undefined;
}

/** Whether a path is one of a picture, be it shown or not. */
export function isPicture(path: string): boolean {
  return getPictureMediaType(path) !== undefined || unsupportedPictureExtensions.includes(getExtension(path));
}

function getExtension(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** Why a picture that is there is not shown: its size, that of all, or its format. */
export type OmissionReason = 'large' | 'all' | 'format';

/** A picture of the folder of a local email. */
export interface LocalPicture {
  /** Below the folder, with slashes. */
  readonly path: string;
  /** As a `data:` address; nothing where there is none that may be shown. */
  readonly data?: string;
  readonly omissionReason?: OmissionReason;
}

export type ToPage =
  | ({ readonly type: 'show' } & PreviewContent)
  /** `length` is the part's length afterwards: where it differs, the page asks for the whole text. */
  | { readonly type: 'change'; readonly part: Part; readonly changes: readonly Change[]; readonly length: number }
  | { readonly type: 'text'; readonly part: Part; readonly text: string }
  | { readonly type: 'envelope'; readonly envelope?: Envelope }
  /** What is sent, as a change of what was sent before (of nothing, after `show`). `by` alone: it could not be worked out. */
  | { readonly type: 'sent'; readonly service: SendingService; readonly html?: Change; readonly text?: Change }
  | { readonly type: 'pictures'; readonly pictures: readonly LocalPicture[] }
  | { readonly type: 'locked'; readonly locked: boolean }
  | ({ readonly type: 'viewers' } & ViewerChoices)
  /** Where the editor's cursor is in the body; nothing where it is elsewhere. */
  | { readonly type: 'cursor'; readonly offset?: number }
  /** A sentence about documents that can't be read; nothing when all is well again. */
  | { readonly type: 'readFailure'; readonly message?: string }
  /** What the checks have found wrong with the email. */
  | { readonly type: 'problems'; readonly errors: number; readonly warnings: number }
  /**
   * Clicks to be laid over the email; nothing takes them away. `turn` is another one for each: one that was shown already isn't brought
   * into view again.
   */
  | { readonly type: 'heat'; readonly heat?: LinkHeat; readonly heatId: number };

export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'resync'; readonly part: Part }
  /** Paths of pictures that the email shows, below its folder: hostile text. */
  | { readonly type: 'pictures'; readonly paths: readonly string[] }
  /** Documents that could not be read are to be read again. */
  | { readonly type: 'retry' }
  | { readonly type: 'toolbar'; readonly toolbar: ToolbarState }
  /** The user points at a place of a part. */
  | { readonly type: 'reveal'; readonly part: Part; readonly offset: number }
  /** The user wants to see the first of what was found. */
  | { readonly type: 'revealProblem' }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'copyLink'; readonly href: string }
  /** Whom the user wants to look at it as: id of a person, nothing, or `asPick`. */
  | { readonly type: 'selectPerson'; readonly personId: string }
  /** The user has taken the clicks away. */
  | { readonly type: 'heatClosed' };

const isPart = isOneOf('body', 'stylesheet');

export const fromPage: MessageShapes<FromPage> = {
  ready: {},
  resync: { part: isPart },
  pictures: { paths: isArrayOf(isString, { maxLength: MAX_PICTURES }) },
  retry: {},
  toolbar: {
    toolbar: isShape<ToolbarState>({
      view: isOneOf('authored', 'sent', 'text'),
      lens: isOneOf('none', ...lensNames),
      grid: isBoolean,
      width: isOneOf('320', '375', '600', 'full'),
      zoom: isOneOf('fit', '50', '75', '100', '125', '150', '200'),
      scheme: isOneOf('light', 'dark'),
      remote: isBoolean,
    }),
  },
  reveal: { part: isPart, offset: isCount },
  revealProblem: {},
  openLink: { href: isString },
  copyLink: { href: isString },
  selectPerson: { personId: isString },
  heatClosed: {},
};
