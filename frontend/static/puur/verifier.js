import{a as b}from"./part-WT32S6GU.js";import"./part-WSLGYX2A.js";import{a}from"./part-H2WOC2BR.js";export{a as Unusable,b as verify};
