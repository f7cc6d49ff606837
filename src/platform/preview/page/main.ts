import './preview.css';
import { button, dropdown, registerControls } from '../../webview/toolkit.ts';
import { connectHost } from '../../webview/host.ts';
import { PreviewPage } from './page.ts';
import type { PageState } from './page.ts';
import type { FromPage, ToPage } from '../protocol.ts';

registerControls(button(), ...dropdown());
const host = connectHost<ToPage, FromPage, PageState>();
const page = new PreviewPage(host);
document.body.append(...page.elements);
page.start();
