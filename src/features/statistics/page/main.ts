import { connectHost } from '../../../platform/webview/host.ts';
import { button, checkbox, dropdown, registerControls, textField } from '../../../platform/webview/toolkit.ts';
import { StatisticsPage } from './page.ts';
import type { StatisticsPageState } from './page.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import './statistics.css';

registerControls(button(), textField(), checkbox(), ...dropdown());
const page = new StatisticsPage(connectHost<ToPage, FromPage, StatisticsPageState>());
document.body.append(...page.elements);
page.start();
