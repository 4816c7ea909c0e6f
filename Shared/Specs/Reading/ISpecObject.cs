namespace ScaleOut.Specs.Reading;

/// <summary>
/// One JSON object of a plan while its fields are named one by one. The same code that names them reads a plan (<see cref="ReadingObject"/>)
/// and describes all plans as a JSON schema (<see cref="SchemaObject"/>), so the two cannot differ.
/// </summary>
internal interface ISpecObject
{
    /// <summary>A field that may be left out or null.</summary>
    /// <param name="name">In camelCase.</param>
    /// <param name="about">One line for the editor's tool tip.</param>
    ISpecValue Field(string name, string about);

    /// <summary>A field that must be given.</summary>
    /// <param name="name">In camelCase.</param>
    /// <param name="about">One line for the editor's tool tip.</param>
    ISpecValue Required(string name, string about);
}
