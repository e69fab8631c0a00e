/// A module of the program itself.
public enum Database {
    /// Where it is from.
    public static let origin = "the program's own database"
}
