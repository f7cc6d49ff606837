import { connectHost } from '../../../../platform/webview/host.ts';
import { button, checkbox, registerControls, textField } from '../../../../platform/webview/toolkit.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import { SubscribersPage, type SubscribersPageState } from './page.ts';
import './subscribers.css';

registerControls(button(), textField(), checkbox());
const page = new SubscribersPage(connectHost<ToPage, FromPage, SubscribersPageState>());
document.body.append(...page.elements);
page.start();
