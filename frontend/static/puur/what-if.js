import{b as t}from"./part-H5EFNNS4.js";import"./part-PM6OBWUK.js";t();
