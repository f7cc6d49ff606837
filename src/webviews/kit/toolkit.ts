/**
 * The controls of the pages, and the only module that knows where they come from: @vscode/webview-ui-toolkit is archived, and a
 * successor takes its place here. A page registers what it uses, so that nothing else is bundled with it.
 */
import { provideVSCodeDesignSystem, vsCodeButton, vsCodeDropdown, vsCodeOption } from '@vscode/webview-ui-toolkit';

export type Control = ReturnType<typeof vsCodeButton> | ReturnType<typeof vsCodeDropdown> | ReturnType<typeof vsCodeOption>;

export const button = (): Control => vsCodeButton();
/** A drop-down list with its options. */
export const dropdown = (): Control[] => [vsCodeDropdown(), vsCodeOption()];

/** Defines the elements (`vscode-button`, …). Once for each page, before they are used. */
export function registerControls(...controls: readonly Control[]): void {
  provideVSCodeDesignSystem().register(...controls);
}
