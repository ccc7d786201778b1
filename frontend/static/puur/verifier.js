import{a as b}from"./part-VQ5AGPIA.js";import"./part-ICZY2CWC.js";import{a}from"./part-73ZBTNEC.js";export{a as Unusable,b as verify};
