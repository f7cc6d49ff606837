import './subscribers.css';
import { button, checkbox, registerControls, textField } from '../../../../ui/page/toolkit.ts';
import { SubscribersPage } from './subscribersPage.ts';

registerControls(button, textField, checkbox);
new SubscribersPage().start();
