import{a as t}from"./part-6VO3GA4I.js";import"./part-S7SHWMVE.js";t();
