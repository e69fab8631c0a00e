/// A module of the program itself.
public enum Files {
    /// Where it is from.
    public static let origin = "the program's own files"
}
