/**
 * Theme colors that the pages use, as VS Code provides them in the default light and the high contrast dark theme. Empty if the theme doesn't
 * define the color.
 */
const colors: Readonly<Record<string, readonly [light: string, highContrast: string]>> = {
  'badge-background': ['#cccccc', '#000000'],
  'badge-foreground': ['#3b3b3b', '#ffffff'],
  'button-background': ['#005fb8', '#000000'],
  'button-border': ['#0000001a', '#6fc3df'],
  'button-foreground': ['#ffffff', '#ffffff'],
  'button-secondaryBackground': ['#e5e5e5', ''],
  'button-secondaryForeground': ['#3b3b3b', '#ffffff'],
  'charts-blue': ['#0063d3', '#59a4f9'],
  'charts-foreground': ['#3b3b3b', '#ffffff'],
  'charts-green': ['#388a34', '#89d185'],
  'charts-yellow': ['#bf8803', '#ffd370'],
  'checkbox-background': ['#f8f8f8', '#000000'],
  'checkbox-border': ['#cecece', '#6fc3df'],
  contrastActiveBorder: ['', '#f38518'],
  contrastBorder: ['', '#6fc3df'],
  descriptionForeground: ['#3b3b3b', '#ffffffb3'],
  disabledForeground: ['#61616180', '#a5a5a5'],
  'dropdown-background': ['#ffffff', '#000000'],
  'dropdown-border': ['#cecece', '#6fc3df'],
  'dropdown-foreground': ['#3b3b3b', '#ffffff'],
  'editor-background': ['#ffffff', '#000000'],
  'editor-foreground': ['#3b3b3b', '#ffffff'],
  'editorWarning-foreground': ['#bf8803', '#ffd370'],
  'editorWidget-background': ['#f8f8f8', '#0c141f'],
  'editorWidget-foreground': ['#3b3b3b', '#ffffff'],
  errorForeground: ['#f85149', '#f48771'],
  focusBorder: ['#005fb8', '#f38518'],
  'font-family': ['sans-serif', 'sans-serif'],
  'font-size': ['13px', '13px'],
  foreground: ['#3b3b3b', '#ffffff'],
  'icon-foreground': ['#3b3b3b', '#ffffff'],
  'input-background': ['#ffffff', '#000000'],
  'input-border': ['#cecece', '#6fc3df'],
  'input-foreground': ['#3b3b3b', '#ffffff'],
  'input-placeholderForeground': ['#767676', '#ffffffb3'],
  'inputOption-activeBackground': ['#bed6ed', 'transparent'],
  'inputOption-activeBorder': ['#005fb8', '#6fc3df'],
  'inputOption-activeForeground': ['#000000', '#ffffff'],
  'inputValidation-errorBackground': ['#f2dede', '#000000'],
  'inputValidation-warningBackground': ['#f6f5d2', '#000000'],
  'list-hoverBackground': ['#f2f2f2', '#ffffff1a'],
  'panel-border': ['#e5e5e5', '#6fc3df'],
  'panelTitle-activeForeground': ['#3b3b3b', '#ffffff'],
  'panelTitle-inactiveForeground': ['#3b3b3b', '#ffffff'],
  'settings-headerForeground': ['#1f1f1f', '#ffffff'],
  'sideBar-background': ['#f8f8f8', '#000000'],
  'textLink-activeForeground': ['#005fb8', '#21a6ff'],
  'textLink-foreground': ['#005fb8', '#21a6ff'],
};

/** The body class of each theme. */
export const themeClasses = { light: 'vscode-light', highContrast: 'vscode-dark vscode-high-contrast' } as const;

/** Returns the style of a page in a theme. */
export function themeStyle(theme: keyof typeof themeClasses): string {
  return Object.entries(colors)
    .map(([name, [light, highContrast]]) => [name, theme === 'light' ? light : highContrast])
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `--vscode-${name}: ${value}`)
    .join('; ');
}
