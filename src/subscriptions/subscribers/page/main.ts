import './subscribers.css';
import { connectHost } from '../../../webviews/host.ts';
import { button, checkbox, registerControls, textField } from '../../../webviews/toolkit.ts';
import { SubscribersPage } from './page.ts';
import type { PageState } from './page.ts';
import type { FromPage, ToPage } from '../protocol.ts';

registerControls(button(), textField(), checkbox());
const page = new SubscribersPage(connectHost<ToPage, FromPage, PageState>());
document.body.append(...page.elements);
page.start();
