import '../../../platform/webview/form/form.css';
import './followUpForm.css';
import { connectHost } from '../../../platform/webview/host.ts';
import type { FormPageState } from '../../../platform/webview/form/page.ts';
import { button, checkbox, dropdown, radios, registerControls, textField } from '../../../platform/webview/toolkit.ts';
import { FollowUpFormPage } from './page.ts';
import type { FromPage, ToPage } from '../protocol.ts';

registerControls(button(), textField(), checkbox(), ...radios(), ...dropdown());
const page = new FollowUpFormPage(connectHost<ToPage, FromPage, FormPageState>());
document.body.append(...page.elements);
page.start();
