/**
 * Theme colors that the pages use, as VS Code provides them in the default themes: light, dark, high contrast dark and
 * high contrast light. Empty if the theme doesn't define the color.
 */
const colors: Readonly<
  Record<string, readonly [light: string, dark: string, highContrast: string, highContrastLight: string]>
> = {
  'badge-background': ['#cccccc', '#616161', '#000000', '#0f4a85'],
  'badge-foreground': ['#3b3b3b', '#f8f8f8', '#ffffff', '#ffffff'],
  'button-background': ['#005fb8', '#0078d4', '#000000', '#0f4a85'],
  'button-border': ['#0000001a', '#ffffff12', '#6fc3df', '#0f4a85'],
  'button-foreground': ['#ffffff', '#ffffff', '#ffffff', '#ffffff'],
  'button-secondaryBackground': ['#e5e5e5', '#313131', '', '#ffffff'],
  'button-secondaryForeground': ['#3b3b3b', '#cccccc', '#ffffff', '#292929'],
  'charts-blue': ['#0063d3', '#59a4f9', '#59a4f9', '#0063d3'],
  'charts-foreground': ['#3b3b3b', '#cccccc', '#ffffff', '#292929'],
  'charts-green': ['#388a34', '#89d185', '#89d185', '#374e06'],
  'charts-yellow': ['#bf8803', '#cca700', '#ffd370', '#895503'],
  'checkbox-background': ['#f8f8f8', '#313131', '#000000', '#ffffff'],
  'checkbox-border': ['#cecece', '#3c3c3c', '#6fc3df', '#0f4a85'],
  contrastActiveBorder: ['', '', '#f38518', '#006bbd'],
  contrastBorder: ['', '', '#6fc3df', '#0f4a85'],
  descriptionForeground: ['#3b3b3b', '#9d9d9d', '#ffffffb3', '#292929b3'],
  disabledForeground: ['#61616180', '#cccccc80', '#a5a5a5', '#7f7f7f'],
  'dropdown-background': ['#ffffff', '#313131', '#000000', '#ffffff'],
  'dropdown-border': ['#cecece', '#3c3c3c', '#6fc3df', '#0f4a85'],
  'dropdown-foreground': ['#3b3b3b', '#cccccc', '#ffffff', '#292929'],
  'editor-background': ['#ffffff', '#1f1f1f', '#000000', '#ffffff'],
  'editor-foreground': ['#3b3b3b', '#cccccc', '#ffffff', '#292929'],
  'editorWarning-foreground': ['#bf8803', '#cca700', '#ffd370', '#895503'],
  'editorWidget-background': ['#f8f8f8', '#202020', '#0c141f', '#ffffff'],
  'editorWidget-foreground': ['#3b3b3b', '#cccccc', '#ffffff', '#292929'],
  errorForeground: ['#f85149', '#f85149', '#f48771', '#b5200d'],
  focusBorder: ['#005fb8', '#0078d4', '#f38518', '#006bbd'],
  'font-family': ['sans-serif', 'sans-serif', 'sans-serif', 'sans-serif'],
  'font-size': ['13px', '13px', '13px', '13px'],
  foreground: ['#3b3b3b', '#cccccc', '#ffffff', '#292929'],
  'icon-foreground': ['#3b3b3b', '#cccccc', '#ffffff', '#292929'],
  'input-background': ['#ffffff', '#313131', '#000000', '#ffffff'],
  'input-border': ['#cecece', '#3c3c3c', '#6fc3df', '#0f4a85'],
  'input-foreground': ['#3b3b3b', '#cccccc', '#ffffff', '#292929'],
  'input-placeholderForeground': ['#767676', '#989898', '#ffffffb3', '#292929b3'],
  'inputOption-activeBackground': ['#bed6ed', '#2489db82', 'transparent', 'transparent'],
  'inputOption-activeBorder': ['#005fb8', '#2488db', '#6fc3df', '#0f4a85'],
  'inputOption-activeForeground': ['#000000', '#ffffff', '#ffffff', '#292929'],
  'statusBarItem-errorBackground': ['#ba1007', '#ba1007', '', '#b5200d'],
  'statusBarItem-errorForeground': ['#ffffff', '#ffffff', '#ffffff', '#ffffff'],
  'inputValidation-errorBackground': ['#f2dede', '#5a1d1d', '#000000', '#ffffff'],
  'inputValidation-warningBackground': ['#f6f5d2', '#352a05', '#000000', '#ffffff'],
  'list-hoverBackground': ['#f2f2f2', '#2a2d2e', '#ffffff1a', '#0f4a851a'],
  'panel-border': ['#e5e5e5', '#2b2b2b', '#6fc3df', '#0f4a85'],
  'panelTitle-activeForeground': ['#3b3b3b', '#cccccc', '#ffffff', '#292929'],
  'panelTitle-inactiveForeground': ['#3b3b3b', '#9d9d9d', '#ffffff', '#292929'],
  'settings-headerForeground': ['#1f1f1f', '#ffffff', '#ffffff', '#292929'],
  'sideBar-background': ['#f8f8f8', '#181818', '#000000', '#ffffff'],
  'textLink-activeForeground': ['#005fb8', '#4daafc', '#21a6ff', '#0f4a85'],
  'textLink-foreground': ['#005fb8', '#4daafc', '#21a6ff', '#0f4a85'],
};

/** The body class of each theme. */
export const themeClasses = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  highContrast: 'vscode-dark vscode-high-contrast',
  highContrastLight: 'vscode-light vscode-high-contrast vscode-high-contrast-light',
} as const;

export type Theme = keyof typeof themeClasses;

export const themes = Object.keys(themeClasses) as readonly Theme[];

/** Returns the style of a page in a theme. */
export function themeStyle(theme: Theme): string {
  return Object.entries(colors)
    .map(([name, values]) => [name, values[themes.indexOf(theme)]])
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `--vscode-${name}: ${value}`)
    .join('; ');
}
