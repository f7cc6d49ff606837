import '../../webviews/form/form.css';
import '../../webviews/form/suggestions.css';
import { connectHost } from '../../webviews/host.ts';
import { button, checkbox, dropdown, radios, registerControls, textField } from '../../webviews/toolkit.ts';
import type { PageState } from '../../webviews/form/page.ts';
import { CampaignFormPage } from './page.ts';
import type { FromPage, ToPage } from '../protocol.ts';

registerControls(button(), textField(), checkbox(), ...radios(), ...dropdown());
const host = connectHost<ToPage, FromPage, PageState>();
const page = new CampaignFormPage(host);
document.body.append(...page.elements);
page.start();
