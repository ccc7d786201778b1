import{a as b}from"./part-RDSZYP26.js";import"./part-LBLOFXVZ.js";import{a}from"./part-H2WOC2BR.js";export{a as Unusable,b as verify};
