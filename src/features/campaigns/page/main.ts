import '../../../platform/webview/form/form.css';
import '../../../platform/webview/form/suggestions.css';
import { connectHost } from '../../../platform/webview/host.ts';
import { button, checkbox, dropdown, radios, registerControls, textField } from '../../../platform/webview/toolkit.ts';
import type { FormPageState } from '../../../platform/webview/form/page.ts';
import { CampaignFormPage } from './page.ts';
import type { FromPage, ToPage } from '../protocol.ts';

registerControls(button(), textField(), checkbox(), ...radios(), ...dropdown());
const host = connectHost<ToPage, FromPage, FormPageState>();
const page = new CampaignFormPage(host);
document.body.append(...page.elements);
page.start();
