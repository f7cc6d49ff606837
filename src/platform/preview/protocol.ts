import type { Change } from '../../email/html/changes.ts';
import type { Envelope } from '../../email/compose/compose.ts';
import { lensNames, type LensName } from '../../email/lenses/model.ts';
import type { NamedPerson } from '../../email/tags/index.ts';
import { isBoolean, isArrayOf, isOneOf, isShape, isString, isCount, type MessageShapes } from '../webview/messages.ts';

/** The documents whose text is sent to the page. */
export type Part = 'body' | 'stylesheet';

export type DeviceWidth = '320' | '375' | '600' | 'full';
export type Zoom = 'fit' | '50' | '75' | '100' | '125' | '150' | '200';

/** The shown version of an email: as written, as the service sends it, or its plain-text part. */
export type View = 'authored' | 'sent' | 'text';

/** The toolbar's settings, which the host stores. */
export interface ToolbarState {
  readonly view: View;
  /** The mail client that the sent version is shown as. */
  readonly lens: LensName | 'none';
  /** Whether several lenses are shown side by side. */
  readonly grid: boolean;
  readonly width: DeviceWidth;
  readonly zoom: Zoom;
  readonly scheme: 'light' | 'dark';
  /** Whether remote images, fonts and stylesheets are loaded. */
  readonly remote: boolean;
}

/** Remote images are off by default: loading one tells the sender that the email was viewed. */
export const initialToolbar: ToolbarState = {
  view: 'authored',
  lens: 'none',
  grid: false,
  width: 'full',
  zoom: 'fit',
  scheme: 'light',
  remote: false,
};

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
  /** Id of the selected person. Empty if raw tags are shown. */
  readonly personId: string;
  /** Whether a subscriber of a service can be picked. */
  readonly canPick: boolean;
}

/** Value in place of a person's id that asks to pick a subscriber. */
export const PICK_SUBSCRIBER = 'pick';

/** Clicks on one link of a sent email. */
export interface HeatLink {
  /** The address as stored by the service. Untrusted text. */
  readonly address: string;
  readonly total: number;
  /** The number of people who clicked. */
  readonly unique: number;
  /** Share of all clicks, 0 to 1. */
  readonly share: number;
}

/** The clicks on an email's links, shown as a heat map over its preview. */
export interface LinkHeat {
  readonly links: readonly HeatLink[];
  /** The address of the initially selected link. */
  readonly selectedAddress?: string;
  /** When the clicks were counted, for display: "10:42". */
  readonly countedAt: string;
}

/** Limits of the local pictures in one email: their number, the bytes of one, and the bytes of all. */
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

/** Extensions of pictures that are not shown. Most mail clients don't show them either. */
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

/** Returns the media type of a supported picture, or undefined for any other file. */
export function getPictureMediaType(path: string): string | undefined {
  const extension = getExtension(path);
  return Object.hasOwn(pictureMediaTypes, extension) ? pictureMediaTypes[extension] : undefined;
}

/** Returns whether a path has the extension of a picture, supported or not. */
export function isPicture(path: string): boolean {
  return getPictureMediaType(path) !== undefined || unsupportedPictureExtensions.includes(getExtension(path));
}

function getExtension(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** Why an existing picture is not shown: it is too large, all pictures together are, or its format isn't supported. */
export type OmissionReason = 'large' | 'all' | 'format';

export interface LocalPicture {
  /** Path relative to the folder, with slashes. */
  readonly path: string;
  /** A `data:` address. Absent if the picture is missing or may not be shown. */
  readonly data?: string;
  readonly omissionReason?: OmissionReason;
}

export type ToPage =
  | ({ readonly type: 'show' } & PreviewContent)
  /** `length` is the part's length after the changes. If the page's text has another length, it requests the whole text. */
  | { readonly type: 'change'; readonly part: Part; readonly changes: readonly Change[]; readonly length: number }
  | { readonly type: 'text'; readonly part: Part; readonly text: string }
  | { readonly type: 'envelope'; readonly envelope?: Envelope }
  /** The sent version, as a change of the previous one (of an empty text after `show`). Only `service` is set if composing failed. */
  | { readonly type: 'sent'; readonly service: SendingService; readonly html?: Change; readonly text?: Change }
  | { readonly type: 'pictures'; readonly pictures: readonly LocalPicture[] }
  | { readonly type: 'locked'; readonly locked: boolean }
  | ({ readonly type: 'viewers' } & ViewerChoices)
  /** The editor cursor's offset in the body. Absent if the cursor is in another document. */
  | { readonly type: 'cursor'; readonly offset?: number }
  /** A message about unreadable documents. Absent once all of them can be read. */
  | { readonly type: 'readFailure'; readonly message?: string }
  /** The number of problems that the checks found. */
  | { readonly type: 'problems'; readonly errors: number; readonly warnings: number }
  /** The clicks to show; without `heat`, the heat map closes. The page scrolls to the selected link once for each `heatId`. */
  | { readonly type: 'heat'; readonly heat?: LinkHeat; readonly heatId: number };

export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'resync'; readonly part: Part }
  /** Paths of the email's local pictures, relative to its folder. Untrusted text. */
  | { readonly type: 'pictures'; readonly paths: readonly string[] }
  /** Reads documents again that could not be read. */
  | { readonly type: 'retry' }
  | { readonly type: 'toolbar'; readonly toolbar: ToolbarState }
  /** The user clicked something that comes from this position. */
  | { readonly type: 'reveal'; readonly part: Part; readonly offset: number }
  /** Opens the editor at the first problem. */
  | { readonly type: 'revealProblem' }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'copyLink'; readonly href: string }
  /** The selected person's id, empty for raw tags, or `PICK_SUBSCRIBER`. */
  | { readonly type: 'selectPerson'; readonly personId: string }
  /** The user closed the heat map. */
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
