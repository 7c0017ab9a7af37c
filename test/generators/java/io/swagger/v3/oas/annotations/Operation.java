package io.swagger.v3.oas.annotations;

public @interface Operation {
  String operationId();

  String summary();

  String description() default "";

  boolean deprecated() default false;

  io.swagger.v3.oas.annotations.responses.ApiResponse[] responses();

  io.swagger.v3.oas.annotations.security.SecurityRequirement[] security() default {};

  String[] tags() default {};
}
