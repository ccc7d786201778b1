import{a as b}from"./part-WIPUOOK2.js";import"./part-YK4XW7HS.js";import{a}from"./part-TWT4N6J3.js";export{a as Unusable,b as verify};
