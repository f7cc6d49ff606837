import '../kit/form/form.css';
import './followUpForm.css';
import { connectHost } from '../kit/host.ts';
import type { PageState } from '../kit/form/page.ts';
import { button, checkbox, dropdown, radios, registerControls, textField } from '../kit/toolkit.ts';
import { FollowUpFormPage } from './page.ts';
import type { FromPage, ToPage } from './protocol.ts';

registerControls(button(), textField(), checkbox(), ...radios(), ...dropdown());
const host = connectHost<ToPage, FromPage, PageState>();
const page = new FollowUpFormPage(host);
document.body.append(...page.elements);
page.start();
