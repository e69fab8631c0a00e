import ValiseContentStore

/// Trees of files that a kernel or a browser shows.
package enum Mounting {}
