// @ts-check
// The alignments of one sentence by several models, side by side.

import { mounted } from "../kit/mount.js";
import { makePanels } from "./panels.js";

export default mounted((parent, first, host) => makePanels(parent, first, host));
