namespace ScaleOut.Http;

/// <summary>A limit that whoever runs the server has set.</summary>
/// <param name="Setting">The setting's name, for those who want more, such as <c>MAX_RUS</c>.</param>
/// <param name="Value">The most that is let in.</param>
public sealed record SettingLimit(string Setting, int Value);
