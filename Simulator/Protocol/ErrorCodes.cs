namespace ScaleOut.Simulator.Protocol;

/// <summary>The word that an error's body has for its status.</summary>
internal static class ErrorCodes
{
    public static string For(int status) => status switch
    {
        304 => "NotModified",
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        408 => "RequestTimeout",
        409 => "Conflict",
        410 => "Gone",
        412 => "PreconditionFailed",
        413 => "RequestEntityTooLarge",
        429 => "429",
        449 => "RetryWith",
        500 => "InternalServerError",
        503 => "ServiceUnavailable",
        _ => status.ToString(System.Globalization.CultureInfo.InvariantCulture),
    };
}
