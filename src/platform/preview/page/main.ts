import './preview.css';
import { button, dropdown, registerControls } from '../../webview/toolkit.ts';
import { connectHost } from '../../webview/host.ts';
import { PreviewPage } from './page.ts';
import type { PreviewPageState } from './page.ts';
import type { FromPage, ToPage } from '../protocol.ts';

registerControls(button, dropdown);
const host = connectHost<ToPage, FromPage, PreviewPageState>();
new PreviewPage(host).start();
