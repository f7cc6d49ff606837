import '../kit/form/form.css';
import { connectHost } from '../kit/host.ts';
import { button, checkbox, dropdown, radios, registerControls, textField } from '../kit/toolkit.ts';
import type { PageState } from '../kit/form/page.ts';
import { CampaignFormPage } from './page.ts';
import type { FromPage, ToPage } from './protocol.ts';

registerControls(button(), textField(), checkbox(), ...radios(), ...dropdown());
const host = connectHost<ToPage, FromPage, PageState>();
const page = new CampaignFormPage(host);
document.body.append(...page.elements);
page.start();
