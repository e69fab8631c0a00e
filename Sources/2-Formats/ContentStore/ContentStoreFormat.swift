import ValiseStorage

/// Content-addressed stores of tcfs.
package enum ContentStoreFormat {}
