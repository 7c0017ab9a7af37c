package io.swagger.v3.oas.annotations;

public @interface Parameter {
  String name();

  String description() default "";

  boolean required() default false;
}
