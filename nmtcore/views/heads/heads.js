// @ts-check
// All heads of a Transformer beside the panels that show the chosen one.

import { makePanels } from "../alignment/panels.js";
import { mounted } from "../kit/mount.js";
import { makeChooser } from "./chooser.js";

export default mounted((parent, first, host) => makePanels(parent, first, host, makeChooser));
