import './page.css';
import { connectHost } from '../../../../platform/webview/host.ts';
import { button, registerControls } from '../../../../platform/webview/toolkit.ts';
import { SubscriptionsPage } from './page.ts';
import type { FromPage, ToPage } from '../protocol.ts';

registerControls(button());
const page = new SubscriptionsPage(connectHost<ToPage, FromPage, unknown>());
document.body.append(page.element);
page.start();
