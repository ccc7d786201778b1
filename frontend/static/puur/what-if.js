import{a as t}from"./part-YHWFSKX4.js";import"./part-Y27S6MK3.js";t();
