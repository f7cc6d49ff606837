import './page.css';
import { Channel } from '../../../../ui/page/channel.ts';
import { button, registerControls } from '../../../../ui/page/toolkit.ts';
import { openUserPage } from './userPage.ts';

registerControls(button);
openUserPage(new Channel());
